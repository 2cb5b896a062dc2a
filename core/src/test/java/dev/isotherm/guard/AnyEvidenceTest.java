// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.guard.Avoidance.State;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

/** What holds of an avoidance whatever its replica does. */
class AnyEvidenceTest extends AvoidanceLooks {
    private static final int LOOKS = 5_000;
    private static final List<String> REASONS = List.of("nothing", "stands still", "none", "most", "of its last");

    private SplittableRandom random;
    /** What lasts for some looks, as a slow disk or a process that hardly runs. */
    private Evidence mood;

    private boolean areCopies;
    /** The trials that were claimed at the last look. */
    private int tried;

    private int looksInVain;
    private long avoidedSince;

    private boolean oneIn(int looks) {
        return random.nextInt(looks) == 0;
    }

    private Evidence anyMood() {
        Evidence any = nothing();
        any.lasting = oneIn(4) ? random.nextInt(3) : 0;
        any.mute = oneIn(12);
        any.beyondOwn = oneIn(6);
        any.hangs = oneIn(8);
        any.asElsewhere = oneIn(2);
        any.slow = oneIn(8);
        any.noneQuick = any.slow ? oneIn(2) : oneIn(16);
        any.silent = oneIn(12);
        any.starved = oneIn(4);
        any.leaves = any.starved && oneIn(2);
        return any;
    }

    private Evidence anyEvidence() {
        mood = oneIn(100) ? oneIn(2) ? nothing() : anyMood() : mood;
        Evidence any = nothing();
        any.lasting = mood.lasting;
        any.mute = mood.mute;
        any.beyondOwn = mood.beyondOwn;
        any.hangs = mood.hangs;
        any.asElsewhere = mood.asElsewhere;
        any.slow = mood.slow;
        any.noneQuick = mood.noneQuick;
        any.silent = mood.silent;
        any.starved = mood.starved;
        any.leaves = mood.leaves;
        any.unanswered = oneIn(4) ? random.nextInt(3) : 0;
        any.good = tried;
        if (oneIn(20)) {
            any.good += random.nextInt(20);
            any.stray = random.nextInt(2);
            any.lasted = random.nextInt(4) / 3;
        }
        if (oneIn(200)) {
            any.late = random.nextInt(5);
            any.overdue = random.nextInt(5);
            any.overdueLonger = random.nextInt(5);
            any.unanswered += any.overdue + any.overdueLonger;
        }
        return any;
    }

    /**
     * Avoided for at most 4 s at a stretch, four trials at once and then one a look, and none while avoided; and used
     * soon after it is well.
     */
    @Property(tries = 200, seed = "59")
    void itIsNeverForgottenAndNeverTriedMoreThanItShouldBe(@ForAll long seed) {
        random = new SplittableRandom(seed);
        beginAnew();
        mood = nothing();
        avoidedSince = now;
        looksInVain = 0;
        tried = 0;
        areCopies = true;
        for (int i = 0; i < LOOKS; i++) {
            anotherIsWell = !oneIn(10);
            areCopies = oneIn(100) ? !oneIn(4) : areCopies;
            lookAt(anyEvidence());
        }
        anotherIsWell = true;
        long wellSince = now;
        for (int claimed = 0; replica.state() != State.USED; claimed = claimed(true)) {
            look(answers(claimed, 0));
            assertTrue(now - wellSince <= 4 * SECOND + Avoidance.RELAPSE_NANOS + SECOND / 2);
        }
        for (String reason : REASONS) {
            Statistics.label(reason).coverage(coverage -> coverage.check(true).count(count -> count > 20));
        }
    }

    private void lookAt(Evidence seen) {
        State before = replica.state();
        boolean isOfStarvation = before != State.USED && replica.reason().contains("stands still");
        looksInVain = before == State.USED || anotherIsWell ? 0 : looksInVain + 1;
        boolean changed = look(seen);
        State after = replica.state();
        assertEquals((before == State.USED) != (after == State.USED), changed);
        avoidedSince = after == State.AVOIDED && before == State.AVOIDED ? avoidedSince : now;
        assertTrue(now - avoidedSince <= 4 * SECOND);
        assertTrue(!replica.takeExcuse() || after == State.USED && seen.beyondOwn);
        if (before == State.USED && after == State.AVOIDED) {
            assertTrue(anotherIsWell);
            REASONS.forEach(
                    reason -> Statistics.label(reason).collect(replica.reason().contains(reason)));
        }
        boolean isInVain = looksInVain >= LOOKS_BACK || isOfStarvation && seen.starved && !seen.leaves;
        if (isInVain) {
            assertEquals(State.USED, after);
        } else if (before == State.TRIED && after == State.USED) {
            assertFalse(seen.isBad() || seen.slow || seen.noneQuick);
            assertTrue(seen.asElsewhere || !seen.beyondOwn);
        } else if (before == State.AVOIDED) {
            assertTrue(after != State.USED);
        }
        assertClaims(before, after, seen);
    }

    /** Reads claim what no copy has claimed for a while, and one that may last at a time. */
    private void assertClaims(State before, State after, Evidence seen) {
        boolean begins = after == State.TRIED && before == State.AVOIDED;
        int most = begins ? Avoidance.ANSWERS_AFTER_PAUSE : after == State.TRIED ? 1 : 0;
        int mostOfReads = begins || seen.lasting > 0 ? 0 : most;
        int ofReads = claimed(false);
        assertTrue(ofReads <= mostOfReads, ofReads + " by reads");
        int ofCopies = areCopies ? claimed(true) : 0;
        tried = ofReads + ofCopies;
        assertTrue(tried <= most, tried + " of " + most);
    }

    private int claimed(boolean byCopies) {
        int claimed = 0;
        while (byCopies ? replica.claimTrial() : replica.claimTrialByRead()) {
            claimed++;
        }
        return claimed;
    }
}
