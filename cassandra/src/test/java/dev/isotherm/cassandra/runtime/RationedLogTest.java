// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.LogLines;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How much the plugin's log grows, whatever brings it about. */
class RationedLogTest {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - MINUTE_NANOS / 2);
    private final RationedLog log = new RationedLog(nanos::get);

    private List<String> logged(int events) {
        return LogLines.of(
                "dev.isotherm", () -> IntStream.range(0, events).forEach(event -> log.info("event {}", event)));
    }

    private static List<String> events(int from, int to) {
        return IntStream.range(from, to).mapToObj(event -> "event " + event).collect(Collectors.toList());
    }

    @Test
    void fewLinesAreAllThere() {
        assertEquals(events(0, RationedLog.AT_ONCE), logged(RationedLog.AT_ONCE));
    }

    @Test
    void manyLinesAreAsManyAsTheRationAndTheNextSaysHowManyWereLeftOut() {
        assertEquals(events(0, RationedLog.AT_ONCE), logged(10_000));
        nanos.addAndGet(MINUTE_NANOS / RationedLog.AT_ONCE);
        assertEquals(
                List.of((10_000 - RationedLog.AT_ONCE) + " lines like the next one were left out", "event 0"),
                logged(1));
        assertEquals(List.of(), logged(1));
        nanos.addAndGet(MINUTE_NANOS);
        assertEquals(
                events(0, RationedLog.AT_ONCE), logged(RationedLog.AT_ONCE + 1).subList(1, RationedLog.AT_ONCE + 1));
    }

    @Test
    void anHourOfEventsIsNoMoreThanItsRation() {
        int lines = 0;
        for (int second = 0; second < 3600; second++) {
            lines += logged(10).size();
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        }
        // Each line may have one before it that counts those left out.
        assertTrue(lines <= 2 * 61 * RationedLog.AT_ONCE, lines + " lines");
        assertTrue(lines >= 60 * RationedLog.AT_ONCE, lines + " lines");
    }

    @Test
    void eachKindOfFailureIsOneLineAMinute() {
        Failures failures = new Failures();
        UnreadableValues unreadable = new UnreadableValues();
        List<String> lines = LogLines.of("dev.isotherm", () -> {
            for (int event = 0; event < 1000; event++) {
                failures.record("The first is left as it is", new IllegalStateException("cause " + event));
                failures.record("The second is left as it is", new IllegalStateException("cause " + event));
                unreadable.ignore(
                        "The third is ignored", node(1 + event % 2), new IllegalStateException("cause " + event));
            }
        });
        assertEquals(
                List.of(
                        "The first is left as it is: java.lang.IllegalStateException: cause 0",
                        "The second is left as it is: java.lang.IllegalStateException: cause 0",
                        "The third is ignored, from " + node(1) + ": cause 0"),
                lines);
        assertEquals(2000, failures.count());
        assertEquals(1000, unreadable.count());
    }
}
