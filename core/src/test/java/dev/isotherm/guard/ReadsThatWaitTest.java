// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whether another replica lets several reads wait for so long, beside a list of all that have no answer. */
class ReadsThatWaitTest extends RemoteReadsLooks {
    private static final long UNIT = 1_024;
    private static final int EVENTS = 400;

    private final List<long[]> unanswered = new ArrayList<>();

    @Property(tries = 300, seed = "73")
    void manyWaitAsOften(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        now = 0;
        replica = new RemoteReads(GuardSettings.defaults(), () -> giveUp, () -> 2 * giveUp, false, now);
        unanswered.clear();
        learn(1_000, (1 + random.nextInt(40)) * MS);
        now &= -UNIT;
        for (int event = 0; event < EVENTS; event++) {
            switch (random.nextInt(8)) {
                case 0:
                    look();
                    break;
                case 1:
                    replica.learn(true);
                    break;
                case 2:
                case 3:
                case 4:
                    replica.sent(++id, now);
                    unanswered.add(new long[] {id, now});
                    break;
                case 5:
                    answerOne(random);
                    break;
                default:
                    now += random.nextInt(10_000) * UNIT;
            }
            long nanos = random.nextInt(4) == 0 ? replica.patienceNanos() : random.nextInt(400_000) * UNIT;
            assertEquals(letWait(nanos) >= 3, replica.letsWait(nanos, now), "after " + event);
        }
    }

    private void answerOne(SplittableRandom random) {
        if (!unanswered.isEmpty()) {
            replica.answered(unanswered.remove(random.nextInt(unanswered.size()))[0], now);
        }
    }

    private long letWait(long nanos) {
        long most = Math.max(nanos, replica.patienceNanos()) + SECOND / 2;
        return unanswered.stream()
                .mapToLong(read -> now - read[1])
                .filter(age -> age >= nanos && age <= most)
                .count();
    }
}
