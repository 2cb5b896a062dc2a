// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** What none of a replica's latest answers took longer than: the last six hundred, over ten seconds or more. */
/*
 * Where one answer in a hundred takes long, as of a large partition, six hundred without one come once in four hundred
 * times.
 */
final class LongestLately {
    static final int ANSWERS = 600;
    /** No second counts for more: ten seconds at least are looked back at. */
    static final int MOST_OF_A_SECOND = ANSWERS / 10;

    /** The answers since one was in a higher bucket, up to {@link #ANSWERS}. */
    private final int[] since = new int[RoundTripTail.BUCKETS];

    /**
     * Takes a second into account.
     *
     * @param highest the bucket of its longest answer; -1 if it had none
     * @return the bucket of the longest of the latest answers; -1 while there were too few
     */
    int second(int highest, long answers) {
        int counted = (int) Math.min(MOST_OF_A_SECOND, answers);
        int longest = -1;
        for (int bucket = since.length - 1; bucket >= 0; bucket--) {
            since[bucket] = bucket < highest ? 0 : Math.min(ANSWERS, since[bucket] + counted);
            longest = since[bucket] == ANSWERS ? bucket : longest;
        }
        return longest;
    }
}
