// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.Map;
import java.util.function.Predicate;

/** Whether the reads of one replica would be better off at the others that a coordinator reads from. For one thread. */
/*
 * Where the replicas have nearly as much to do as they can, a queue that chance has made is gone by itself within half
 * a second. Without the reads of one of three the others have half as much again to do, which they cannot: their queues
 * grow for as long as it is avoided, and its reads make theirs grow in turn once it is used again. A disk that is slow
 * and one that has a queue look the same until the reads are gone; then only the others of the queue let reads wait.
 */
final class OtherReplicas<N> {
    /** Time in which it shows whether moving reads was in vain; what comes later has other reasons. */
    static final long SHOWS_NANOS = 5_000_000_000L;
    /**
     * Time without an answer after which a replica stands still, which tells nothing of queues; where reads wait for
     * less than that, the time that they wait.
     */
    private static final long ANSWERS_WITHIN_NANOS = 5 * ReadGuard.LOOK_NANOS;

    private final Map<N, WatchedReplica> replicas;
    private final ReadWatch local;
    private final Predicate<N> mayServe;
    private final VainMoves vain = new VainMoves();

    /**
     * @param replicas all that the coordinator reads from: a live view
     * @param local this node's among them
     * @param mayServe whether a node could serve reads although it has served none lately
     */
    OtherReplicas(Map<N, WatchedReplica> replicas, ReadWatch local, Predicate<N> mayServe) {
        this.replicas = replicas;
        this.local = local;
        this.mayServe = mayServe;
    }

    /**
     * Whether another replica is well beside this one. Where moving reads was in vain lately, none may let them wait
     * for half as long as otherwise, unless it always does; and none counts while those come back that were moved.
     *
     * @param runningNanos the instant on the clock of the reads, which stands still while the process does
     */
    boolean areBetterThan(WatchedReplica troubled, long runningNanos, long nowNanos) {
        boolean leaves = troubled.wouldLeave();
        if (leaves && vain.comeBack(runningNanos)) {
            return false;
        }
        boolean careful = leaves && vain.areRecent(runningNanos);
        long betterOffNanos = leaves ? troubled.reads.betterOffNanos(runningNanos) : 0;
        boolean anyIsWell = false;
        for (Map.Entry<N, WatchedReplica> entry : replicas.entrySet()) {
            WatchedReplica other = entry.getValue();
            if (other == troubled || !mayHelp(entry.getKey(), other, nowNanos)) {
                continue;
            }
            if (careful && isNear(other) && isInAQueueToo(other, troubled, betterOffNanos, runningNanos)) {
                return false;
            }
            anyIsWell |= other.isWellBeside(troubled, betterOffNanos, runningNanos, nowNanos);
            if (anyIsWell && !careful) {
                return true;
            }
        }
        return anyIsWell;
    }

    /**
     * Whether another replica lets reads wait longer, now that it has the reads of this one, than any was seen to wait,
     * unanswered, for this one, and longer than it usually does. Those that were sent before do not count. What was
     * found is remembered.
     */
    boolean areWorseThan(WatchedReplica avoided, long runningNanos, long nowNanos) {
        long sinceNanos = runningNanos - avoided.avoidance.sinceNanos();
        if (!avoided.hasLeftQueue() || sinceNanos > SHOWS_NANOS) {
            return false;
        }
        long longestNanos = Math.max(avoided.longestWaitNanos(), avoided.reads.waitNanos(runningNanos));
        if (sinceNanos < longestNanos) {
            return false;
        }
        long withinNanos = Math.min(ANSWERS_WITHIN_NANOS, longestNanos);
        for (Map.Entry<N, WatchedReplica> entry : replicas.entrySet()) {
            WatchedReplica other = entry.getValue();
            // What is seldom so comes first, as there may be hundreds; those that are not used have many reads waiting.
            if (other.isUsed()
                    && letsWaitUnusually(other.reads, longestNanos, sinceNanos, runningNanos)
                    && isNear(other)
                    && (other.reads == local || other.wasHeard(withinNanos, nowNanos))
                    && mayHelp(entry.getKey(), other, nowNanos)) {
                vain.found(runningNanos);
                return true;
            }
        }
        return false;
    }

    /**
     * Whether reads wait there for half as long as they may where they are better off. One that always takes longer
     * than reads may wait for the troubled one, as it serves large partitions or from a slow disk, says nothing of
     * queues.
     */
    private static boolean isInAQueueToo(
            WatchedReplica other, WatchedReplica troubled, long betterOffNanos, long runningNanos) {
        return other.isUsed()
                && other.reads.letsWait(betterOffNanos / 2, runningNanos)
                && other.reads.usualWaitNanos() < troubled.reads.waitNanos(runningNanos);
    }

    /** Whether several reads wait for longer than that, and than they usually do. */
    private static boolean letsWaitUnusually(ReadWatch reads, long nanos, long withinNanos, long runningNanos) {
        return reads.letsWait(Math.max(nanos, reads.usualWaitNanos()), withinNanos, runningNanos);
    }

    /** What was found does not count any more. */
    void forgetAll() {
        vain.forget();
    }

    /** Reads of other datacenters always wait for the way, and say nothing of queues. */
    private boolean isNear(WatchedReplica other) {
        return other.reads == local || other.near;
    }

    /**
     * Whether reads could go to the node: one of which nothing is heard is never late, and may be dead or far away.
     * This node stands for all that it has not read from, too: they may be replicas.
     */
    private boolean mayHelp(N node, WatchedReplica watched, long nowNanos) {
        return watched.reads == local || watched.wasHeardLately(nowNanos) || mayServe.test(node);
    }
}
