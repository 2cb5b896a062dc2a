// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shares of three replicas that coordinate each other's operations, beside clients that wait for their answers. */
class SharesOfReplicasTest {
    /** What a read of the hot partition takes. */
    private static final double HOT_SECONDS = 0.33;

    /** What a read of the costly partition takes: 110 chunks. */
    private static final double COSTLY_SECONDS = 1.65;

    /** Of sixteen places on a disk the small reads leave so many. */
    private static final double PLACES_LEFT = 8;

    private static final double WRITE_SECONDS = 0.06;

    /** What small operations are served a second alone, and beside those of the hot partition. */
    private double usual;

    private double beside;
    /** The part of what the small operations leave that the hot partition is served. */
    private double hotOfLeft;

    private static double sumOfOthers(long[] counts) {
        return Arrays.stream(counts, 1, counts.length).sum();
    }

    /** Twelve small operations are under way, and from some time on so many of the first partition. */
    private void run(VirtualReplicas replicas, int hot) {
        replicas.underWay(1, 3_001, 12);
        replicas.run(15);
        replicas.run(5);
        usual = sumOfOthers(replicas.served) / 5;
        replicas.underWay(0, 1, hot);
        replicas.run(5);
        replicas.run(20);
        beside = sumOfOthers(replicas.served) / 20;
        assertEquals(0, sumOfOthers(replicas.refused));
    }

    /** Disks that serve sixteen reads at a time behind 32 threads. */
    private static VirtualReplicas readsOfDisks(long seed) {
        double[] costs = new double[3_001];
        Arrays.fill(costs, 0.06);
        costs[0] = HOT_SECONDS;
        return new VirtualReplicas(32, 16, costs, seed, new Unheard());
    }

    private static void end(VirtualReplicas replicas) {
        replicas.underWay(0, 1, 0);
        replicas.run(5);
        for (VirtualPool pool : replicas.pools) {
            assertFalse(pool.shares.isSaturated());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 96, 192})
    void coordinatorsThatRefuseTooDoNotHideWhatIsAskedFor(int hotReads) {
        VirtualReplicas replicas = readsOfDisks(7);
        run(replicas, hotReads);
        assertTrue(beside > 0.9 * usual, "the others get " + beside + " of " + usual);
        // Two replicas serve a read; the others leave eight of sixteen on each of three.
        double hot = 2 * replicas.served[0] * HOT_SECONDS / 20 / 3;
        assertTrue(hot > 4, hot + " of the eight that are left");
        end(replicas);
    }

    /** A coordinator that is no replica refuses by what the replicas have told it, and few reads reach them in vain. */
    @ParameterizedTest
    @ValueSource(ints = {64, 96, 192})
    void whoIsNoReplicaRefusesWhatReplicasHaveToldIt(int hotReads) {
        VirtualReplicas replicas = readsOfDisks(7);
        replicas.stranger = new VirtualStranger(3);
        run(replicas, hotReads);
        assertTrue(beside > 0.9 * usual, "the others get " + beside + " of " + usual);
        double hot = 2 * replicas.served[0] * HOT_SECONDS / 20 / 3;
        assertTrue(hot > 4, hot + " of the eight that are left");
        long told = replicas.stranger.refusedByReplicas;
        assertTrue(told < replicas.refused[0] / 50, told + " of " + replicas.refused[0] + " reach replicas in vain");
        end(replicas);
    }

    /** Of a partition that asks for a third more than it gets three in four are admitted: each stands for 4/3. */
    @ParameterizedTest
    @CsvSource({"true, 0.7", "true, 0.75", "true, 0.8", "false, 0.7", "false, 0.75", "false, 0.8"})
    void whatIsCutALittleStaysCut(boolean through, double part) {
        double[] costs = new double[3_001];
        Arrays.fill(costs, 0.06);
        costs[0] = HOT_SECONDS;
        VirtualReplicas replicas = new VirtualReplicas(32, Integer.MAX_VALUE, costs, 7, new Unheard());
        replicas.stranger = through ? new VirtualStranger(3) : null;
        replicas.underWay(1, 3_001, 12);
        replicas.run(20);
        usual = sumOfOthers(replicas.served) / 20;
        // Two of three replicas serve a read, and the others leave 24 of 32 threads.
        replicas.every(0, HOT_SECONDS * 2 / 3 / 24 * part);
        replicas.run(5);
        replicas.run(30);
        beside = sumOfOthers(replicas.served) / 30;
        assertTrue(beside > 0.9 * usual, "the others get " + beside + " of " + usual);
        double hot = 2 * replicas.served[0] * HOT_SECONDS / 30 / 3;
        assertTrue(hot > (through ? 0.82 : 0.87) * 24, hot + " of the 24 that are left");
    }

    /** While a queue stands it shows how many of a coordinator's reads have come back to a replica. */
    @ParameterizedTest
    @CsvSource({"96, 7", "96, 8", "96, 9", "192, 7", "192, 8"})
    void readsThatComeBackToAReplicaAreCounted(int hotReads, long seed) {
        VirtualReplicas replicas = readsOfDisks(seed);
        replicas.underWay(1, 3_001, 12);
        replicas.run(20);
        usual = sumOfOthers(replicas.served) / 20;
        replicas.avoidsItself = 2;
        replicas.underWay(0, 1, hotReads);
        replicas.run(10);
        replicas.avoidsItself = -1;
        replicas.run(6);
        replicas.run(15);
        beside = sumOfOthers(replicas.served) / 15;
        assertTrue(beside > 0.9 * usual, "the others get " + beside + " of " + usual);
        double hot = 2 * replicas.served[0] * HOT_SECONDS / 15 / 3;
        assertTrue(hot > 4, hot + " of the eight that are left");
        end(replicas);
    }

    /** Writers that wait for their answers ask for more again as soon as there are threads for it. */
    @ParameterizedTest
    @CsvSource({
        "32, 0.06, 112, false, 0.93",
        "32, 0.06, 300, false, 0.93",
        "16, 0.03, 112, false, 0.93",
        "32, 0.06, 112, true, 0.85",
        "32, 0.06, 300, true, 0.85"
    })
    void writersGetBackWhatAQueueHasKeptFromThem(
            int threads, double cost, int hotWrites, boolean together, double least) {
        double[] costs = new double[3_001];
        Arrays.fill(costs, cost);
        VirtualReplicas replicas = new VirtualReplicas(threads, Integer.MAX_VALUE, costs, 7, new Unheard());
        replicas.writes = true;
        replicas.together = together;
        run(replicas, hotWrites);
        assertTrue(beside > least * usual, "the others get " + beside + " of " + usual);
        double left = threads - usual * cost;
        double hot = replicas.served[0] * cost / 20;
        assertTrue(hot > 0.9 * left, hot + " of the " + left + " that are left");
        end(replicas);
    }

    /** What writers get where replicas tell or do not, and which part of what these leave the hot partition. */
    private void runWrites(VirtualReplicas replicas, boolean told, int hotWrites, double threads) {
        replicas.writes = true;
        replicas.tellOfWrites = told;
        run(replicas, hotWrites);
        double left = threads - usual * WRITE_SECONDS;
        hotOfLeft = replicas.served[0] * WRITE_SECONDS / 20 / left;
    }

    private static VirtualReplicas writesOf(long seed) {
        double[] costs = new double[3_001];
        Arrays.fill(costs, WRITE_SECONDS);
        return new VirtualReplicas(32, Integer.MAX_VALUE, costs, seed, new Unheard());
    }

    /** A replica refuses no write of others; it tells with its answers what it would admit. */
    @ParameterizedTest
    @CsvSource({"112, false", "300, false", "112, true", "300, true"})
    void whoIsNoReplicaRefusesWritesAsReplicasHaveTold(int hotWrites, boolean replicasCoordinate) {
        VirtualReplicas replicas = writesOf(7);
        replicas.stranger = replicasCoordinate ? null : new VirtualStranger(3);
        runWrites(replicas, true, hotWrites, 32);
        assertTrue(beside > 0.9 * usual, "the others get " + beside + " of " + usual);
        assertTrue(hotOfLeft > 0.8, hotOfLeft + " of what is left");
        end(replicas);
    }

    /** One with a slow disk: the other two have threads left, and would send it whatever is asked for. */
    @ParameterizedTest
    @ValueSource(ints = {112, 300})
    void aReplicaThatIsSaturatedAloneIsHeardByTheOthers(int hotWrites) {
        VirtualReplicas replicas = oneWithASlowDisk(true, hotWrites);
        assertTrue(beside > 0.9 * usual, "the others get " + beside + " of " + usual);
        assertTrue(hotOfLeft > 0.5, hotOfLeft + " of what is left");
        end(replicas);
    }

    /** What telling is for: each coordinator cuts by its own threads alone, of which two have some left. */
    @ParameterizedTest
    @ValueSource(ints = {112, 300})
    void aReplicaThatIsSaturatedAloneAndTellsNothingIsSentTooMuch(int hotWrites) {
        VirtualReplicas replicas = oneWithASlowDisk(false, hotWrites);
        assertTrue(beside < 0.7 * usual, "the others get " + beside + " of " + usual);
        end(replicas);
    }

    private VirtualReplicas oneWithASlowDisk(boolean tellOfWrites, int hotWrites) {
        VirtualReplicas replicas = writesOf(7);
        replicas.pools[2].parallel = 20;
        runWrites(replicas, tellOfWrites, hotWrites, 20);
        return replicas;
    }

    /**
     * Reads of a hundred times the data, a tenth as many: the first hold all threads before one has ended, and those
     * that hold them when the cut begins are served to their end.
     */
    @Test
    void costlyReadsAreSeenBeforeTheyEnd() {
        double others = 0;
        double hot = 0;
        for (long seed = 1; seed <= 10; seed++) {
            VirtualReplicas replicas = costly(seed);
            runCostly(replicas);
            assertTrue(beside > 0.8 * usual, "with seed " + seed + " the others get " + beside + " of " + usual);
            others += beside / usual / 10;
            hot += placesOfCostly(replicas) / 10;
            replicas.every(0, 0);
            replicas.run(5);
            for (VirtualPool pool : replicas.pools) {
                assertFalse(pool.shares.isSaturated());
            }
        }
        assertTrue(others > 0.9, "the others get " + others + " of usual");
        assertTrue(hot > 0.68 * PLACES_LEFT, hot + " of the eight that are left");
    }

    /** As the replicas of one partition are, without anything that spreads its reads. */
    @Test
    void inAFixedOrderThePartitionGetsLess() {
        double inOrder = 0;
        double drawn = 0;
        for (long seed = 1; seed <= 5; seed++) {
            VirtualReplicas fixed = costly(seed);
            fixed.inFixedOrder = true;
            runCostly(fixed);
            inOrder += placesOfCostly(fixed) / 5;
            VirtualReplicas spread = costly(seed);
            runCostly(spread);
            drawn += placesOfCostly(spread) / 5;
        }
        assertTrue(inOrder < 0.6 * PLACES_LEFT, inOrder + " of the eight that are left");
        assertTrue(drawn > 1.2 * inOrder, drawn + " where they are spread, " + inOrder + " where not");
    }

    /** The places on each disk that its served reads take: two replicas of three serve one. */
    private static double placesOfCostly(VirtualReplicas replicas) {
        return 2 * replicas.served[0] * COSTLY_SECONDS / 20 / 3;
    }

    private static VirtualReplicas costly(long seed) {
        double[] costs = new double[3_001];
        Arrays.fill(costs, 0.03);
        costs[0] = COSTLY_SECONDS;
        VirtualReplicas replicas = new VirtualReplicas(32, 16, costs, seed, new Unheard());
        replicas.readInChunks(16, 0.015);
        return replicas;
    }

    private void runCostly(VirtualReplicas replicas) {
        replicas.underWay(1, 3_001, 12);
        replicas.run(15);
        replicas.run(5);
        usual = sumOfOthers(replicas.served) / 5;
        replicas.every(0, 1.0 / 32);
        replicas.run(1.5);
        assertTrue(isCut(replicas), "no node has begun to cut it 1.5 s after its first read, of which none has ended");
        replicas.run(8.5);
        replicas.run(20);
        beside = sumOfOthers(replicas.served) / 20;
        assertEquals(0, sumOfOthers(replicas.refused));
    }

    private static boolean isCut(VirtualReplicas replicas) {
        return Arrays.stream(replicas.pools).anyMatch(pool -> !pool.shares.cut().isEmpty());
    }
}
