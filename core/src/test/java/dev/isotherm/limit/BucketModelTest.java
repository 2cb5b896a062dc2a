// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.SplitMix64;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The limiter beside the exact reference, under random calls at random instants. */
class BucketModelTest {
    private static final int UNIT_BITS = 4;
    private static final double BURST = BucketLimiter.DEFAULT_BURST_SECONDS;

    private long now;
    private int uncounted;

    /** With slots for all partitions, every answer is the reference's. */
    @Property(tries = 150, seed = "21")
    void withRoomForAllEveryAnswerIsTheReferences(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BucketLimiter limiter = new BucketLimiter(1 << 18, BURST, random.nextLong());
        ExactBuckets model = new ExactBuckets(BURST);
        now = random.nextLong() << UNIT_BITS >> UNIT_BITS;
        int partitions = 1 + random.nextInt(random.nextBoolean() ? 3 : 1_000);
        int disputed = 0;
        int steps = 4_000;
        for (int step = 0; step < steps; step++) {
            advance(random);
            long partition = random.nextInt(partitions);
            // Usually the partition's own limit, sometimes another: the table was altered.
            int limit = limit(random.nextInt(50) == 0 ? random.nextLong() : partition + seed);
            double operations = random.nextInt(8) == 0 ? random.nextInt(1, 5) : 1;
            int kind = random.nextInt(100);
            if (kind < 80) {
                if (admitDisputed(random, limiter, model, partition, limit, operations)) {
                    disputed++;
                }
            } else if (kind < 90) {
                double told = operations * random.nextInt(1, 40);
                limiter.account(partition, limit, told, now << UNIT_BITS);
                model.add(partition, limit, told, now);
            } else if (kind < 99) {
                limiter.refund(partition, limit, operations, now << UNIT_BITS);
                model.remove(partition, limit, operations, now);
            } else {
                assertEquals(model.sweep(now), limiter.sweep(now << UNIT_BITS));
            }
        }
        assertEquals(model.sweep(now), limiter.sweep(now << UNIT_BITS));
        assertEquals(0, limiter.evicted());
        assertEquals(0, limiter.uncounted());
        assertTrue(disputed < steps / 1_000.0, disputed + " of " + steps + " too close to tell");
    }

    private boolean admitDisputed(
            SplittableRandom random,
            BucketLimiter limiter,
            ExactBuckets model,
            long partition,
            int limit,
            double operations) {
        int bits = random.nextInt();
        ExactBuckets.Chance chance = model.chance(partition, limit, now);
        long debt = model.debt(partition, now);
        Decision decision = limiter.admit(partition, limit, operations, bits, now << UNIT_BITS);
        boolean disputed = chance.isCloseTo(bits);
        if (!disputed) {
            assertEquals(chance.isDrawn(bits), decision.isAdmitted(), "debt of " + debt + " units at limit " + limit);
        }
        if (!decision.isAdmitted()) {
            return disputed;
        }
        model.add(partition, limit, operations, now);
        boolean busy = limit <= 32
                || (debt > -100 * ExactBuckets.UNITS_PER_SECOND
                        && -debt * (double) limit < 15.0 * ExactBuckets.UNITS_PER_SECOND);
        // Another partition may have taken a paid-off slot: then the limiter does not know that this partition was
        // busy.
        if (decision == Decision.ADMITTED_NEAR_LIMIT) {
            assertTrue(busy);
        } else {
            assertFalse(
                    busy && (debt > 0 || limit <= 32),
                    "debt of " + debt + " units at limit " + limit + " told to nobody");
        }
        return disputed;
    }

    /**
     * With slots for a few of many partitions, the limiter rejects nothing that the reference, which forgets nothing,
     * would admit; where the limiter admits more, its counters give the reason.
     */
    @Property(tries = 150, seed = "22")
    void withoutRoomItNeverRejectsMore(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BucketLimiter limiter = new BucketLimiter(64 * random.nextInt(2, 6), BURST, random.nextLong());
        ExactBuckets model = new ExactBuckets(BURST);
        now = random.nextLong() << UNIT_BITS >> UNIT_BITS;
        int partitions = random.nextInt(1, 200);
        uncounted = 0;
        for (int step = 0; step < 4_000; step++) {
            if (random.nextInt(4) == 0) {
                advance(random);
            }
            // Skewed: the partitions with low numbers are hot.
            long partition = random.nextInt(1 + random.nextInt(partitions));
            int limit = limit(partition + seed);
            if (random.nextInt(10) == 0) {
                long before = limiter.uncounted();
                limiter.account(partition, limit, 3, now << UNIT_BITS);
                model.add(partition, limit, 3, now);
                uncounted += limiter.uncounted() > before ? 3 : 0;
            } else {
                admitNoLess(random.nextInt(), limiter, model, partition, limit);
            }
        }
        assertEquals(uncounted, limiter.uncounted());
        if (partitions <= 8) {
            assertEquals(0, limiter.uncounted() + limiter.evicted());
        }
    }

    private void admitNoLess(int bits, BucketLimiter limiter, ExactBuckets model, long partition, int limit) {
        ExactBuckets.Chance chance = model.chance(partition, limit, now);
        Decision decision = limiter.admit(partition, limit, 1, bits, now << UNIT_BITS);
        if (decision == Decision.ADMITTED_UNCOUNTED) {
            uncounted++;
        }
        if (!chance.isCloseTo(bits) && decision.isAdmitted() != chance.isDrawn(bits)) {
            assertTrue(decision.isAdmitted(), "rejected what the reference admits");
            assertTrue(limiter.evicted() + limiter.uncounted() > 0, "admitted more, for no reason that was counted");
        }
        if (decision.isAdmitted()) {
            model.add(partition, limit, 1, now);
        }
    }

    /**
     * Mostly a little, at times a second or two, rarely minutes or hours (less than half the period of the instants).
     */
    private void advance(SplittableRandom random) {
        int kind = random.nextInt(1_000);
        long most = kind < 900
                ? 200_000
                : kind < 990
                        ? 20_000_000
                        : kind < 998 ? 2 * ExactBuckets.UNITS_PER_SECOND : 8_000 * ExactBuckets.UNITS_PER_SECOND;
        now += random.nextLong(most);
    }

    private static int limit(long seed) {
        return ExactBuckets.LIMITS[Math.floorMod(SplitMix64.mix(seed), ExactBuckets.LIMITS.length)];
    }
}
