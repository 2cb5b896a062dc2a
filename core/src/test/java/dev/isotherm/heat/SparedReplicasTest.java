// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SparedReplicasTest {
    private static final BalanceSettings AFFINITY = BalanceSettings.defaults().withPlacement(Placement.AFFINITY);
    private static final double COLD_READ_SECONDS = AFFINITY.coldReadNanos() / 1e9;
    private static final boolean[] LAST_OF_THREE = {false, false, true};

    @Provide
    Arbitrary<Group> groups() {
        return Group.withChoice();
    }

    private static boolean[] some(Group group) {
        boolean[] warmed = new boolean[group.size()];
        for (int i = 0; i < warmed.length; i++) {
            warmed[i] = group.random.nextBoolean();
        }
        return warmed;
    }

    /** Shares remain shares, one that is spared never has more for it, and the others never less. */
    @Property(tries = 5000, seed = "95")
    void whatIsSparedGoesToTheOthers(
            @ForAll("groups") Group group,
            @ForAll @IntRange(min = 1, max = 3) int kind,
            @ForAll @DoubleRange(min = 0.1, max = 20000) double requests) {
        Heat[] heats = group.heats(kind);
        boolean[] warmed = some(group);
        double[] before = PlannedShares.of(heats, requests, group.k);
        double[] after = PlannedShares.of(heats, warmed, requests, group.k);
        double missesOfOthers = IntStream.range(0, after.length)
                .filter(i -> !warmed[i])
                .mapToDouble(i -> misses(heats[i]))
                .average()
                .orElse(1);
        assertEquals(1, Arrays.stream(after).sum(), 1e-9);
        for (int i = 0; i < after.length; i++) {
            double share = after[i];
            double more = share - before[i];
            assertTrue(share > 0 && share <= 1.0 / group.k + 1e-9, () -> "a share is " + share);
            boolean isSpared = warmed[i] && misses(heats[i]) - missesOfOthers > 0.24;
            assertTrue(isSpared ? more <= 1e-9 : more >= -1e-9, () -> "a share has changed by " + more);
        }
    }

    private static double misses(Heat heat) {
        double cost = ReplicaCosts.of(heat, AFFINITY);
        return heat.kind() == Heat.Kind.MISS_RATIO ? cost : Math.min(1, cost / AFFINITY.coldReadNanos());
    }

    /** Of k of N, up to two thirds, in which one is cold and the others miss nothing. */
    @Property(tries = 3000, seed = "96")
    void hardlyAnyRequestWaitsForAnEmptyOne(
            @ForAll @IntRange(min = 3, max = 9) int nodes,
            @ForAll @IntRange(min = 2, max = 6) int k,
            @ForAll @DoubleRange(min = 1, max = 20000) double requests) {
        if (3 * k > 2 * nodes) {
            return;
        }
        Heat[] heats = new Heat[nodes];
        Arrays.fill(heats, Heat.missRatio(0));
        heats[nodes - 1] = Heat.missRatio(1);
        boolean[] warmed = new boolean[nodes];
        warmed[nodes - 1] = true;
        double waiting = k * PlannedShares.of(heats, warmed, requests, k)[nodes - 1];
        assertTrue(waiting < 0.01, () -> waiting + " of the requests wait");
    }

    /** Where the others' disks are busy for three fifths of the time with all reads, shares are by cost alone. */
    @Property(tries = 3000, seed = "97")
    void nobodyIsSparedAtTheCostOfBusyDisks(@ForAll("groups") Group group) {
        Heat[] heats = group.heats(1);
        boolean[] warmed = some(group);
        double seconds = 0;
        int others = 0;
        for (int i = 0; i < warmed.length; i++) {
            others += warmed[i] ? 0 : 1;
            seconds += warmed[i] ? 0 : heats[i].value() * COLD_READ_SECONDS;
        }
        if (seconds > 0) {
            double requests = 0.6001 * others * others / (seconds * group.k);
            assertArrayEquals(
                    PlannedShares.of(heats, requests, group.k),
                    PlannedShares.of(heats, warmed, requests, group.k),
                    1e-12);
        }
    }

    @Test
    void oneThatHasBeenEmptyGetsItsShareBackAsItMissesLess() {
        Heat[] heats = {Heat.missRatio(0), Heat.missRatio(0), Heat.missRatio(1)};
        double[] misses = {1, 0.7, 0.5, 0.35};
        double before = 0;
        for (double miss : misses) {
            heats[2] = Heat.missRatio(miss);
            double exact = Math.pow(0.24 / heats[2].value(), 3) / 3;
            double share = PlannedShares.of(heats, LAST_OF_THREE, 50, 2)[2];
            assertEquals(exact, share, 1e-12);
            assertTrue(share > before);
            before = share;
        }
        heats[2] = Heat.missRatio(0.2);
        assertEquals(1 / 3.0, PlannedShares.of(heats, LAST_OF_THREE, 50, 2)[2], 1e-12);
    }

    /** Between a disk that is busy for two fifths and one that is for three, a half is between the two. */
    @Test
    void theBusierTheOthersTheLessIsSpared() {
        Heat[] heats = {Heat.missRatio(0.5), Heat.missRatio(0.5), Heat.missRatio(1)};
        double secondsOfRead = heats[0].value() * COLD_READ_SECONDS;
        double requests = 0.5 / secondsOfRead;
        double byCost = PlannedShares.of(heats, requests, 2)[2];
        double few = Math.pow(0.24 / (1 - heats[0].value()), 3) / 3;
        assertEquals((byCost + few) / 2, PlannedShares.of(heats, LAST_OF_THREE, requests, 2)[2], 1e-9);
        assertEquals(few, PlannedShares.of(heats, LAST_OF_THREE, 0.39 / secondsOfRead, 2)[2], 1e-9);
    }

    @Test
    void aCostCountsAsTheMissesThatTakeAsLong() {
        Heat cold = Heat.costNanos(0.9 * AFFINITY.coldReadNanos());
        Heat[] heats = {Heat.costNanos(1e5), Heat.costNanos(1e5), cold};
        double more = (cold.value() - heats[0].value()) / AFFINITY.coldReadNanos();
        assertEquals(Math.pow(0.24 / more, 3) / 3, PlannedShares.of(heats, LAST_OF_THREE, 10, 2)[2], 1e-12);
    }

    @Test
    void nobodyIsSparedWhereTheOthersAreTooFewOrTheRequestsUnknown() {
        Heat[] heats = {Heat.missRatio(0), Heat.missRatio(1), Heat.missRatio(1)};
        boolean[] two = {false, true, true};
        assertArrayEquals(PlannedShares.of(heats, 10, 2), PlannedShares.of(heats, two, 10, 2), 1e-15);
        assertArrayEquals(PlannedShares.of(heats, 0, 2), PlannedShares.of(heats, LAST_OF_THREE, 0, 2), 1e-15);
        assertArrayEquals(
                PlannedShares.of(heats, 10, 1),
                PlannedShares.of(heats, LAST_OF_THREE, 10, 1),
                1e-15,
                "nothing is copied at ONE");
    }

    /** Disks that serve c reads side by side bear c times the requests. */
    @Property(tries = 500, seed = "98")
    void disksThatServeSeveralAtATimeAreAsBusyWithAsManyTimesTheRequests(
            @ForAll @DoubleRange(min = 1, max = 500) double requests, @ForAll @IntRange(min = 2, max = 16) int served) {
        // Beside costs that count nearly as little as a floor least shares change nothing.
        Heat[] heats = {Heat.costNanos(3e6), Heat.costNanos(3e6), Heat.costNanos(6e6)};
        Standing[] standings = {Standing.USED, Standing.USED, Standing.WARMED};
        ReadPlan several = plan(heats, standings, new DisksInLoad(requests * served, served + 1, served, 1));
        ReadPlan one = plan(heats, standings, () -> requests);
        assertArrayEquals(PlannedShares.of(one), PlannedShares.of(several), 1e-12);
    }

    /** The one that is spared bears nothing: what its own disk serves does not matter. */
    @Test
    void aPlanThatSparesHoldsForAsManyAtATime() {
        Heat[] heats = {Heat.missRatio(0.1), Heat.missRatio(0.1), Heat.missRatio(1)};
        Standing[] standings = {Standing.USED, Standing.USED, Standing.WARMED};
        ReadPlan spares = plan(heats, standings, new DisksInLoad(100, 2, 2, 1));
        assertTrue(spares.holdsFor(new DisksInLoad(100, 2, 2, 1)));
        assertTrue(spares.holdsFor(new DisksInLoad(100, 2, 16, 8)), "the least is 2 still");
        assertFalse(spares.holdsFor(new DisksInLoad(100, 3, 3, 1)));
        assertFalse(spares.holdsFor(new DisksInLoad(100, 2, 1, 2)));
        assertTrue(
                plan(heats, Standing.used(3), new DisksInLoad(100, 2, 2, 2)).holdsFor(new DisksInLoad(100, 3, 3, 3)),
                "where none is spared it does not matter");
    }

    private static ReadPlan plan(Heat[] heats, Standing[] standings, DiskLoad load) {
        return ReadPlan.of(heats, new RequestRate[heats.length], standings, load, 2, -1, AFFINITY);
    }
}
