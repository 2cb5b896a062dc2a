// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskRoundTest {
    private final List<String> ran = new ArrayList<>();
    private final List<Long> delays = new ArrayList<>();
    private boolean idle;
    private boolean needed = true;
    private int refusals;

    /** Runs nothing: the test runs what is due. */
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            if (refusals-- > 0) {
                throw new OutOfMemoryError("on purpose");
            }
            delays.add(unit.toMillis(delay));
            return null;
        }
    };

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    private PeriodicTask task(String name, long periodMillis) {
        return new PeriodicTask(periodMillis, name + " failed", () -> ran.add(name));
    }

    private TaskRound round(PeriodicTask... tasks) {
        return new TaskRound(executor, List.of(tasks), () -> idle, new Failures());
    }

    @Test
    void runsEachTaskAndIsDueAPeriodLater() {
        TaskRound round = round(task("a", 10), task("b", 10));
        round.begin();
        round.run();
        assertEquals(List.of("a", "b"), ran);
        assertEquals(List.of(10L, 10L), delays);
    }

    @Test
    void oneThatThrowsKeepsNoOtherFromItsRun() {
        PeriodicTask thrower = new PeriodicTask(10, "it failed", () -> {
            throw new IllegalStateException("on purpose");
        });
        round(thrower, task("b", 10)).run();
        assertEquals(List.of("b"), ran);
        assertEquals(List.of(10L), delays);
    }

    /** The executor makes an object for each run. */
    @Test
    void isDueAgainWhereThereWasNoMemoryForIt() {
        TaskRound round = round(task("a", 10));
        refusals = 2;
        round.run();
        assertEquals(List.of(10L), delays);
    }

    @Test
    void restsWhileNoTaskIsNeeded() {
        TaskRound round =
                round(task("a", 10).whileNeeded(() -> needed), task("b", 10).notWhileIdle());
        needed = false;
        round.run();
        idle = true;
        round.run();
        needed = true;
        round.run();
        assertEquals(List.of("b", "a"), ran);
        assertEquals(List.of(10L, TaskRound.REST_MILLIS, 10L), delays);
    }

    @Test
    void aPeriodThatIsLongerThanTheRestStays() {
        round(task("a", 1_000).whileNeeded(() -> false)).run();
        assertEquals(List.of(1_000L), delays);
    }

    @Test
    void aNeededTaskNeedsAFeatureThatIsOnToo() {
        idle = true;
        round(task("a", 10).notWhileIdle().whileNeeded(() -> true)).run();
        assertEquals(List.of(), ran);
    }
}
