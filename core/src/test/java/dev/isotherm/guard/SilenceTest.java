// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a replica's reads are overdue, and when it is taken to answer nothing. */
class SilenceTest extends RemoteReadsLooks {
    @Test
    void readsAreOverdueFromThePatienceOnAndSilentFromTwiceThat() {
        learn(1_000, 5 * MS);
        replica.sent(++id, now);
        replica.sent(++id, now);
        long sent = now;
        now = sent + 29 * MS;
        assertEquals(0, look().overdue);
        assertEquals(2, seen.unanswered);
        now = sent + 31 * MS;
        assertEquals(2, look().overdue);
        assertFalse(seen.silent);
        now = sent + 61 * MS;
        assertTrue(look().silent);
        read(5 * MS);
        assertFalse(look().silent, "it answers others");
        assertEquals(2, seen.overdue);
        replica.answered(1_001, now);
        assertEquals(1, look().overdue);
        assertEquals(1, seen.late);
    }

    /** It may be one that takes long; so is one that was overdue already while others were answered. */
    @Test
    void aReadAloneIsSilenceAfterFiveTimesAsLong() {
        learn(1_000, 5 * MS);
        replica.sent(++id, now);
        now += 299 * MS;
        assertFalse(look().silent);
        now += 2 * MS;
        assertTrue(look().silent);
        read(5 * MS);
        now += 400 * MS;
        look();
        assertEquals(1, seen.overdue + seen.overdueLonger);
        assertFalse(seen.silent, "others were answered beside it");
        giveUp = 20 * SECOND;
        replica.sent(++id, now);
        now += 301 * MS;
        assertTrue(look().silent, "none is since this one");
    }

    /** A read that Cassandra has given up before it was overdue is overdue all the same: its replica was silent. */
    @ParameterizedTest
    @ValueSource(longs = {1, 200 * MS, SECOND, 2 * SECOND, 5 * SECOND})
    void aReplicaThatNeverAnswersIsSilentWhateverTheTimeout(long giveUpNanos) {
        replica = new RemoteReads(GuardSettings.defaults(), () -> giveUpNanos, () -> giveUpNanos, false, now);
        boolean silent = false;
        for (int i = 0; i < 250; i++) {
            replica.sent(++id, now);
            now += 10 * MS;
            silent |= look().silent;
        }
        assertTrue(silent);
    }
}
