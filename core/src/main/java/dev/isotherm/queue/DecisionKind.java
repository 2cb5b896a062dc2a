// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

/** Why a write is coordinated where it is. Riak's counter of the same event is named where there is one. */
public enum DecisionKind {
    /** Here: the queue is short. Riak: {@code coord_local_unloaded}. */
    LOCAL,
    /**
     * Here: the queue is long, and so is that of each replica that said anything, none half as long. Riak: {@code
     * coord_local_soft_loaded}.
     */
    LOCAL_OVER_LIMIT,
    /**
     * At a replica whose queue is short. Riak: {@code coord_redir_loaded_local} where this node is a
     * replica with a long queue, {@code coord_redir_unloaded} where it is none.
     */
    REDIRECTED,
    /**
     * At the shortest of queues that are all long, where this node is no replica or its own is far longer. Riak: {@code
     * coord_redir_least_loaded}.
     */
    LEAST_LOADED,
    /** At random: no replica answered in time. Riak: {@code vnode_mbox_check_timeout}. */
    TIMED_OUT,
    /** At random, without having waited: no replica can say anything. Plain Cassandra's choice. */
    RANDOM
}
