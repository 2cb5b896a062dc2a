// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * Subsets split off from the replicas' lengths for the pairs that one layout keeps apart: the split-off subsets let
 * these pairs meet. The remaining lengths can be laid out as the whole lengths could.
 */
final class PairSplits {
    /*
     * Let replica i be drawn with probability p_i, and let f replicas have p = 1. A pair with p > 0 can meet in some
     * sampling if and only if one of the two has p = 1 (then it always meets) or k - f >= 2: with k - f = 1 a draw has
     * room for only one of the replicas below 1, and otherwise their p lies strictly inside the polytope spanned by all
     * subsets that hold the f replicas, so that p is a mixture in which each of those subsets has a positive part.
     *
     * For some p no order of the intervals reaches this: with p = 0.03, 0.03, 0.646, 0.646, 0.646 and k = 2 the first
     * two never lie a whole number apart. Splitting always reaches it: give a subset with the pair the part x of [0,
     * 1); in the rest, which is 1 - x long, the members have p_i - x left and the others p_i. The rest is exactly such
     * a sampling problem again, as long as no member has less than x and no other replica has more than 1 - x. So the
     * subsets are chosen first. Of T, c_i with replica i, each gets the least of p_i / (c_i + 1) over its members and
     * (1 - p_i) / (T - c_i + 1) over the others: all of them together leave every p strictly inside.
     */
    /** Every pair of nine replicas; in larger groups some pairs may never meet. */
    private static final int MOST = 36;
    /** 2^-32 of the whole: a probability this close to 0 or 1 counts as 0 or 1. */
    private static final int CLOSE = 32;
    /** A pair in less than 2^-7 of the rarer replica's draws, which rounding may yield, does not count as meeting. */
    private static final int SELDOM = 7;
    /** A replica this many times as rare as a subset's pair is not added to the subset for the sake of pairs. */
    private static final int RARE = 4;

    private final int n;
    private final int k;
    private final long unit;
    /** The length of each replica's interval, at most a unit; the lengths sum to k units. */
    private final long[] whole;

    private final boolean[] always;
    private final boolean[] open;
    private final boolean[][] apart;
    /** For each replica the number of replicas it never meets. */
    private final int[] apartFrom;
    /** The number of pairs that never meet. */
    private int pairs;

    private final boolean[][] splits = new boolean[MOST][];
    /** For each replica the number of split-off subsets that hold it. */
    private final int[] held;

    private int count;

    /**
     * @param borders the borders of the layout's intervals; each replica's length lies between two of them
     * @param unit the greatest length of an interval
     */
    PairSplits(SystematicLayout layout, long[] borders, long unit, int k) {
        this.n = borders.length - 1;
        this.k = k;
        this.unit = unit;
        whole = new long[n];
        held = new int[n];
        always = new boolean[n];
        open = new boolean[n];
        apart = new boolean[n][n];
        apartFrom = new int[n];
        int free = k;
        int choice = 0;
        for (int i = 0; i < n; i++) {
            whole[i] = borders[i + 1] - borders[i];
            always[i] = unit - whole[i] < unit >> CLOSE;
            open[i] = !always[i] && whole[i] >= unit >> CLOSE;
            if (always[i]) {
                free--;
            }
            if (open[i]) {
                choice++;
            }
        }
        if (free < 2 || choice <= free) {
            return;
        }
        findApart(layout);
        while (pairs > 0 && count < MOST) {
            split();
        }
    }

    private void findApart(SystematicLayout layout) {
        long[][] together = new long[n][n];
        for (int s = 0; s < layout.starts.length; s++) {
            for (int a = s * k; a < (s + 1) * k; a++) {
                for (int b = a + 1; b < (s + 1) * k; b++) {
                    together[layout.members[a]][layout.members[b]] += layout.length(s);
                }
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                if (open[i] && open[j] && together[i][j] < Math.min(whole[i], whole[j]) >> SELDOM) {
                    mark(i, j, true);
                }
            }
        }
    }

    private void mark(int i, int j, boolean isApart) {
        apart[i][j] = isApart;
        apart[j][i] = isApart;
        int change = isApart ? 1 : -1;
        apartFrom[i] += change;
        apartFrom[j] += change;
        pairs += change;
    }

    /** Splits off a subset for the most often drawn pair that never meets and, greedily, for further such pairs. */
    private void split() {
        boolean[] drawn = always.clone();
        int size = 2;
        for (boolean member : drawn) {
            if (member) {
                size++;
            }
        }
        int first = 0;
        int second = 0;
        long rarer = -1;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                if (apart[i][j] && Math.min(whole[i], whole[j]) > rarer) {
                    first = i;
                    second = j;
                    rarer = Math.min(whole[i], whole[j]);
                }
            }
        }
        drawn[first] = true;
        drawn[second] = true;
        for (; size < k; size++) {
            drawn[next(drawn, rarer)] = true;
        }
        for (int i = 0; i < n; i++) {
            if (drawn[i]) {
                held[i]++;
            }
            for (int j = i + 1; j < n; j++) {
                if (drawn[i] && drawn[j] && apart[i][j]) {
                    mark(i, j, false);
                }
            }
        }
        splits[count++] = drawn;
    }

    /**
     * The replica that never meets the largest number of those drawn, unless it is so rarely drawn that the subset
     * would be rare too; of several, the replica with the most length per subset.
     */
    private int next(boolean[] drawn, long rarer) {
        int best = -1;
        int most = -1;
        for (int i = 0; i < n; i++) {
            if (!open[i] || drawn[i]) {
                continue;
            }
            int gain = 0;
            for (int j = 0; j < n; j++) {
                if (drawn[j] && apart[i][j]) {
                    gain++;
                }
            }
            if (whole[i] < rarer / RARE) {
                gain = 0;
            }
            if (gain > most || gain == most && whole[i] / (held[i] + 1) > whole[best] / (held[best] + 1)) {
                best = i;
                most = gain;
            }
        }
        return best;
    }

    /** The number of subsets split off; 0 if all pairs that can meet do meet in the layout. */
    int count() {
        return count;
    }

    /** The length of the part of the unit that draws a split-off subset. */
    long length(int split) {
        long length = unit;
        for (int i = 0; i < n; i++) {
            length = Math.min(
                    length, splits[split][i] ? whole[i] / (held[i] + 1) : (unit - whole[i]) / (count - held[i] + 1));
        }
        return length;
    }

    /** Writes the k members of a split-off subset, in the replicas' order, from an index on. */
    void writeMembers(int split, int[] into, int from) {
        for (int i = 0; i < n; i++) {
            if (splits[split][i]) {
                into[from++] = i;
            }
        }
    }

    /** The layout of the remaining lengths. */
    SystematicLayout rest() {
        long[] rest = whole.clone();
        long left = unit;
        for (int split = 0; split < count; split++) {
            long length = length(split);
            left -= length;
            for (int i = 0; i < n; i++) {
                if (splits[split][i]) {
                    rest[i] -= length;
                }
            }
        }
        long[] borders = new long[n + 1];
        for (int i = 0; i < n; i++) {
            borders[i + 1] = borders[i] + rest[i];
        }
        return new SystematicLayout(borders, left, k);
    }
}
