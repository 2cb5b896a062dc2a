// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** A replica group for tests: miss ratios of 1 to 9 replicas, and the number of replicas that a read contacts. */
final class Group {
    enum Shape {
        UNIFORM,
        ONE_COLD,
        TWO_COLD,
        ALL_NEARLY_HIT,
        TIES,
        EXACT_ENDS,
        EQUAL,
        WIDE
    }

    final double[] misses;
    final int k;
    final SplittableRandom random;

    Group(int n, int k, Shape shape, long seed) {
        this.random = new SplittableRandom(seed);
        this.k = k;
        this.misses = new double[n];
        double same = random.nextDouble();
        double warm = random.nextDouble() * 0.3;
        for (int i = 0; i < n; i++) {
            misses[i] = miss(shape, i, same, warm);
        }
        for (int i = n - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            double swapped = misses[i];
            misses[i] = misses[j];
            misses[j] = swapped;
        }
    }

    private double miss(Shape shape, int i, double same, double warm) {
        switch (shape) {
            case ONE_COLD:
                return i < 1 ? 1 - random.nextDouble() * 0.1 : warm + random.nextDouble() * 0.01;
            case TWO_COLD:
                return i < 2 ? 1 - random.nextDouble() * 0.1 : warm + random.nextDouble() * 0.01;
            case ALL_NEARLY_HIT:
                return random.nextDouble() * 1e-3;
            case TIES:
                return random.nextInt(3) / 2.0;
            case EXACT_ENDS:
                return random.nextInt(2);
            case EQUAL:
                return same;
            case WIDE:
                return Math.pow(10, -6 * random.nextDouble());
            default:
                return random.nextDouble();
        }
    }

    /** The misses as heats of one kind, by the codes that they have as miss ratios. */
    Heat[] heats(int kind) {
        Heat[] heats = new Heat[size()];
        Arrays.setAll(heats, i -> Heat.ofCodes(kind, Heat.missRatio(misses[i]).code()));
        return heats;
    }

    int size() {
        return misses.length;
    }

    /** Any group, N = 1..9, K = 1..N, of any shape. */
    static Arbitrary<Group> any() {
        return from(1);
    }

    /** Any group with a choice of replicas: K < N. */
    static Arbitrary<Group> withChoice() {
        return from(2).filter(group -> group.k < group.size());
    }

    private static Arbitrary<Group> from(int leastSize) {
        return Combinators.combine(
                        Arbitraries.integers().between(leastSize, 9),
                                Arbitraries.integers().between(0, 8),
                        Arbitraries.of(Shape.values()), Arbitraries.longs().withoutEdgeCases())
                .as((n, k, shape, seed) -> new Group(n, 1 + k % n, shape, seed));
    }

    @Override
    public String toString() {
        return "k " + k + " of miss ratios " + Arrays.toString(misses);
    }
}
