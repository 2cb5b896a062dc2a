// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The replicas that a coordinator's reads avoid now: those that the guard avoids or tries, and those that an operator
 * has taken out of reads. Immutable but for the claims of trials; usually empty.
 */
public final class Avoided<N> {
    private static final Avoided<?> NONE = new Avoided<>(Map.of(), Set.of());

    private final Map<N, Avoidance> byGuard;
    private final Set<N> out;

    Avoided(Map<N, Avoidance> byGuard, Set<N> out) {
        this.byGuard = new HashMap<>(byGuard);
        this.out = new HashSet<>(out);
    }

    @SuppressWarnings("unchecked") // It holds no N.
    static <N> Avoided<N> none() {
        return (Avoided<N>) NONE;
    }

    /** Whether no replica is avoided: reads keep their order. */
    public boolean isEmpty() {
        return byGuard.isEmpty() && out.isEmpty();
    }

    /**
     * The rank of a live replica for one read.
     *
     * @param contacted whether the read would contact the replica if nothing were avoided; such a read may be the
     *     replica's trial, and then its rank is {@link ReplicaRanks#USED}
     */
    public int rankOf(N replica, boolean contacted) {
        if (out.contains(replica)) {
            return ReplicaRanks.OUT;
        }
        Avoidance avoidance = byGuard.get(replica);
        if (avoidance == null || (contacted && avoidance.claimTrial())) {
            return ReplicaRanks.USED;
        }
        return ReplicaRanks.AVOIDED;
    }
}
