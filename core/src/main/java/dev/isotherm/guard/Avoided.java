// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The replicas that a coordinator's reads avoid now: those that the guard avoids or tries, and those that an operator
 * has taken out of reads. Immutable but for trials; usually empty.
 */
public final class Avoided<N> {
    private static final Avoided<?> NONE = new Avoided<>(Map.of(), Set.of());

    private final Map<N, Avoidance> byGuard;
    /** How many of the others that the guard avoids began to be avoided later. */
    private final Map<N, Integer> later;

    private final Set<N> out;
    /** The replicas that copies of reads may try: those of the guard that no operator has taken out. */
    private final List<N> tried;
    /** How the guard treats each of these, in their order. */
    private final List<Avoidance> avoidances;
    /** The last instant at which all that waited for a trial were dead, if that ever was so. */
    private volatile long noneAliveNanos;

    private volatile boolean noneWasAlive;

    Avoided(Map<N, Avoidance> byGuard, Set<N> out) {
        this.byGuard = new HashMap<>(byGuard);
        this.later = laterOf(byGuard);
        this.out = new HashSet<>(out);
        Map<N, Avoidance> onlyByGuard = new HashMap<>(byGuard);
        onlyByGuard.keySet().removeAll(out);
        this.tried = List.copyOf(onlyByGuard.keySet());
        this.avoidances = tried.stream().map(onlyByGuard::get).collect(Collectors.toList());
    }

    private static <N> Map<N, Integer> laterOf(Map<N, Avoidance> byGuard) {
        List<Map.Entry<N, Avoidance>> latestFirst = new ArrayList<>(byGuard.entrySet());
        latestFirst.sort((one, other) -> Long.signum(beganNanos(other) - beganNanos(one)));
        Map<N, Integer> later = new HashMap<>();
        int ofEqual = 0;
        for (int i = 0; i < latestFirst.size(); i++) {
            ofEqual = beganNanos(latestFirst.get(i)) == beganNanos(latestFirst.get(ofEqual)) ? ofEqual : i;
            later.put(latestFirst.get(i).getKey(), ofEqual);
        }
        return later;
    }

    private static long beganNanos(Map.Entry<?, Avoidance> entry) {
        return entry.getValue().sinceNanos();
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
     * @param contacted whether the read would contact the replica if nothing were avoided; where no copy of a read
     *     could try the replica, such a read may: it claims the trial by this call, and the rank is
     *     {@link ReplicaRanks#USED}. Who only looks passes false
     */
    public int rankOf(N replica, boolean contacted) {
        if (out.contains(replica)) {
            return ReplicaRanks.OUT;
        }
        Avoidance avoidance = byGuard.get(replica);
        if (avoidance == null || (contacted && avoidance.claimTrialByRead())) {
            return ReplicaRanks.USED;
        }
        return avoidance.rank(later.get(replica));
    }

    /** Whether the guard avoids or tries the replica. */
    public boolean isByGuard(N replica) {
        return byGuard.containsKey(replica);
    }

    /**
     * Whether any replica waits for a copy of a read to try it.
     *
     * @param alive of which replicas that matters: one that is dead may wait for as long as it is. Where all are dead
     *     that wait, as after a rack has failed, they are asked for no more often than the guard looks
     */
    public boolean awaitsTrial(Predicate<N> alive, long nowNanos) {
        long sinceNoneNanos = nowNanos - noneAliveNanos;
        if (noneWasAlive && sinceNoneNanos >= 0 && sinceNoneNanos < ReadGuard.LOOK_NANOS) {
            return false;
        }
        boolean anyIsDead = false;
        for (int i = 0; i < avoidances.size(); i++) {
            if (avoidances.get(i).awaitsTrial()) {
                if (alive.test(tried.get(i))) {
                    return true;
                }
                anyIsDead = true;
            }
        }
        if (anyIsDead) {
            noneAliveNanos = nowNanos;
            noneWasAlive = true;
        }
        return false;
    }

    /**
     * Claims the trial of one replica for a copy of a read. Nobody waits for the copy's answer; {@link ReadGuard} is
     * told of the copy and of its answer as of any read.
     *
     * @param canServe whether the replica can serve the read; asked of replicas that wait for a trial
     * @return the replica, or null if none of them can
     */
    public N claimTrial(Predicate<N> canServe) {
        for (int i = 0; i < avoidances.size(); i++) {
            Avoidance avoidance = avoidances.get(i);
            if (avoidance.awaitsTrial() && canServe.test(tried.get(i)) && avoidance.claimTrial()) {
                return tried.get(i);
            }
        }
        return null;
    }
}
