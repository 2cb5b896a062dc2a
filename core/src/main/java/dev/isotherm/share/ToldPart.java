// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.Arrays;

/**
 * Which part of a partition's operations its saturated replicas admit, as a coordinator knows it whose own shares do
 * not decide: each replica tells with what it refuses.
 */
public final class ToldPart {
    /*
     * Who is refused by its coordinator reaches no replica, which then tells nothing. So what was told is forgotten in
     * steps: more and more operations are sent, until one is refused and tells anew, or all are. Steps of equal ratio
     * bring a small part and a large one back in the same time.
     */

    /** Age up to which a replica's word is taken as it was given: some looks at its shares. */
    static final long FRESH_NANOS = 500_000_000;

    /** Age from which on it says nothing any more. */
    static final long FORGOTTEN_NANOS = 2_000_000_000;

    private ToldPart() {}

    /**
     * The part that is believed to be admitted.
     *
     * @param told the part that a replica has told, above 0, at most 1
     * @param ageNanos how long ago that was
     * @return from {@code told} to 1
     */
    public static double believed(double told, long ageNanos) {
        if (ageNanos >= FORGOTTEN_NANOS) {
            return 1;
        }
        double forgotten = Math.max(0, ageNanos - FRESH_NANOS) / (double) (FORGOTTEN_NANOS - FRESH_NANOS);
        return Math.pow(told, 1 - forgotten);
    }

    /**
     * The part that is admitted by the replicas that admit most, if so many are contacted: of the rest there is no
     * choice of replicas that would serve it.
     *
     * @param parts those of the live replicas, in any order; are sorted
     * @param contacted the number of replicas that must serve an operation
     * @return 1 if there are fewer replicas, or none must
     */
    public static double ofBest(double[] parts, int contacted) {
        if (contacted < 1 || contacted > parts.length) {
            return 1;
        }
        Arrays.sort(parts);
        return parts[parts.length - contacted];
    }

    /** Whether an operation with this number, any 32 bits, is outside of the part that is admitted. */
    public static boolean refuses(double part, int number) {
        return (number & 0xFFFFFFFFL) >= (long) (part * 0x1p32);
    }
}
