// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class IdlenessTest {
    private static final long UNDER_WAY = 20;

    private final RuntimeSwitch first = new RuntimeSwitch(false);
    private final RuntimeSwitch second = new RuntimeSwitch(false);
    private long now = 100;
    private int resumed;
    private final Idleness idleness = new Idleness(List.of(first, second), () -> UNDER_WAY, () -> now, this::resume);

    private void resume() {
        assertTrue(idleness.isIdle(), "nothing is done yet");
        resumed++;
    }

    private void lookAt(long instant) {
        now = instant;
        idleness.look();
    }

    @Test
    void nothingIsDoneOnceNothingCanBeUnderWay() {
        assertFalse(idleness.isIdle());
        lookAt(120);
        assertFalse(idleness.isIdle());
        lookAt(121);
        assertTrue(idleness.isIdle());
        assertEquals(0, resumed);
    }

    @Test
    void aFeatureThatIsOnKeepsItFromIt() {
        second.set(true);
        lookAt(200);
        assertFalse(idleness.isIdle());
        second.set(false);
        lookAt(210);
        lookAt(220);
        assertFalse(idleness.isIdle(), "it was on 20 ago");
        lookAt(221);
        assertTrue(idleness.isIdle());
    }

    @Test
    void switchedOnItActsAtOnceAndBeginsAnewOnce() {
        lookAt(121);
        first.set(true);
        assertFalse(idleness.isIdle());
        assertEquals(1, resumed);
        lookAt(122);
        second.set(true);
        assertEquals(1, resumed);
        first.set(false);
        second.set(false);
        assertFalse(idleness.isIdle(), "what it began is under way");
        lookAt(142);
        assertFalse(idleness.isIdle());
        lookAt(143);
        assertTrue(idleness.isIdle());
    }

    @Test
    void onForAMomentBetweenTwoLooksIsSeen() {
        lookAt(119);
        first.set(true);
        first.set(false);
        lookAt(121);
        assertFalse(idleness.isIdle(), "what it began is under way");
        assertEquals(0, resumed);
        lookAt(140);
        assertTrue(idleness.isIdle());
    }
}
