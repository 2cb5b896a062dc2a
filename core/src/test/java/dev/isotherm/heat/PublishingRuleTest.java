// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PublishingRuleTest {
    private static final long SECOND = 1_000_000_000L;
    private static final PublishingRule RULE = PublishingRule.defaults();
    private static final Heat HALF = Heat.missRatio(0.5);

    @Test
    void theFirstHeatIsDue() {
        assertTrue(RULE.isDue(null, HALF, 0));
    }

    @Test
    void anUnchangedHeatIsDueOnlyAsARefresh() {
        assertFalse(RULE.isDue(HALF, HALF, 0));
        assertFalse(RULE.isDue(HALF, HALF, 30 * SECOND - 1));
        assertTrue(RULE.isDue(HALF, HALF, 30 * SECOND));
    }

    @Test
    void aSmallChangeWaitsForTheInterval() {
        Heat near = Heat.missRatio(0.54);
        assertTrue(HALF.distanceTo(near) > 0.01 && HALF.distanceTo(near) < 0.1);
        assertFalse(RULE.isDue(HALF, near, 5 * SECOND - 1));
        assertTrue(RULE.isDue(HALF, near, 5 * SECOND));
        assertTrue(RULE.isDue(near, HALF, 5 * SECOND));
    }

    @Test
    void aLargeChangeIsDueAtOnce() {
        assertTrue(RULE.isDue(HALF, Heat.missRatio(0.8), 0));
        assertTrue(RULE.isDue(Heat.missRatio(0.8), HALF, 0));
        assertTrue(RULE.isDue(HALF, Heat.readTimeNanos(1e6), 0));
        assertTrue(RULE.isDue(Heat.readTimeNanos(2e6), Heat.readTimeNanos(1e6), 0));
    }

    @Test
    void aChangeTooSmallIsNotDue() {
        Heat small = Heat.missRatio(0.02);
        Heat next = Heat.ofCodes(1, small.code() + 1);
        assertTrue(small != next && small.distanceTo(next) < 0.01);
        assertFalse(RULE.isDue(small, next, 29 * SECOND));
    }

    @Test
    void aChangedRateIsDueAfterARoundOfGossip() {
        RequestRate rate = RequestRate.perSecond(100);
        assertFalse(RULE.isDue(HALF, rate, HALF, rate, SECOND));
        assertTrue(RULE.isDue(HALF, rate, HALF, RequestRate.perSecond(200), SECOND));
        RequestRate beside = RequestRate.ofCode(rate.code() + 1);
        assertFalse(RULE.isDue(HALF, rate, HALF, beside, 5 * SECOND - 1));
        assertTrue(RULE.isDue(HALF, rate, HALF, beside, 5 * SECOND));
        assertFalse(RULE.isDue(HALF, beside, HALF, rate, 5 * SECOND - 1));
        assertTrue(RULE.isDue(HALF, rate, HALF, RequestRate.ofCode(rate.code() + 2), SECOND));
        RequestRate least = RequestRate.ofCode(RequestRate.NONE.code() + 1);
        assertTrue(RULE.isDue(HALF, RequestRate.NONE, HALF, least, SECOND), "the first requests");
        assertTrue(RULE.isDue(HALF, least, HALF, RequestRate.NONE, SECOND), "the last ones");
        assertTrue(RULE.isDue(HALF, null, HALF, rate, SECOND));
        assertFalse(RULE.isDue(HALF, null, HALF, rate, SECOND - 1));
        assertFalse(RULE.isDue(HALF, rate, Heat.missRatio(0.9), rate, SECOND - 1), "within the round");
        assertTrue(RULE.isDue(HALF, rate, Heat.missRatio(0.9), rate, SECOND));
    }

    @Test
    void badSettingsAreRefused() {
        assertRefused("smallChange is NaN; allowed: 0 to 1", () -> new PublishingRule(Double.NaN, 0.1, 1, 2));
        assertRefused(
                "largeChange is 0.05; allowed: 0.1 (smallChange) to 1", () -> new PublishingRule(0.1, 0.05, 1, 2));
        assertRefused(
                "largeChange is NaN; allowed: 0.1 (smallChange) to 1", () -> new PublishingRule(0.1, Double.NaN, 1, 2));
        assertRefused("minIntervalNanos is -1; allowed: 0 or above", () -> new PublishingRule(0.01, 0.1, -1, 2));
        assertRefused(
                "refreshNanos is 4; allowed: 5 (minIntervalNanos) or above", () -> new PublishingRule(0.01, 0.1, 5, 4));
    }

    @Test
    void settingsMayBeAtTheirBounds() {
        PublishingRule always = new PublishingRule(0.1, 0.1, 0, 0);
        assertTrue(always.isDue(HALF, HALF, 0));
        assertFalse(new PublishingRule(1, 1, 5, 5).isDue(HALF, Heat.readTimeNanos(1e6), 4));
        assertTrue(PublishingRule.defaults().isDue(HALF, HALF, 30 * SECOND));
        assertFalse(PublishingRule.defaults().isDue(HALF, HALF, 30 * SECOND - 1));
    }

    private static void assertRefused(String message, Runnable call) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
}
