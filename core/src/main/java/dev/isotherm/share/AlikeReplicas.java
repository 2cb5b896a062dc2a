// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Orders at random the replicas of a large partition among which nothing else chooses.
 *
 * <p>In a fixed order all coordinators read the partition from the same one of them, beside themselves. It then may
 * admit the least, and what it refuses the other replicas have served in vain.
 */
public final class AlikeReplicas {
    private AlikeReplicas() {}

    /**
     * Shuffles each stretch of replicas that are alike (Fisher and Yates); all others keep their places.
     *
     * @param isAsNext whether the replica at a place, from 0 to the last but one, is no better than the one after it
     * @param below a random number from 0 to below the given one
     * @param into receives, for each place, where the replica for it was; as long as there are replicas
     * @return whether any place changes
     */
    public static boolean shuffle(IntPredicate isAsNext, IntUnaryOperator below, int[] into) {
        boolean moved = false;
        int first = 0;
        for (int place = 0; place < into.length; place++) {
            into[place] = place;
            if (place + 1 == into.length || !isAsNext.test(place)) {
                moved |= shuffle(first, place + 1, below, into);
                first = place + 1;
            }
        }
        return moved;
    }

    private static boolean shuffle(int first, int end, IntUnaryOperator below, int[] into) {
        boolean moved = false;
        for (int place = end - 1; place > first; place--) {
            int other = first + below.applyAsInt(place - first + 1);
            int here = into[place];
            into[place] = into[other];
            into[other] = here;
            moved |= other != place;
        }
        return moved;
    }
}
