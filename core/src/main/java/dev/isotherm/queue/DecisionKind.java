// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

/** The reason for the choice of a leader. Where Riak counts the same event, its counter is named. */
public enum DecisionKind {
    /** This node: its queue is short. Riak: {@code coord_local_unloaded}. */
    LOCAL,
    /**
     * This node: its queue and all known queues of other replicas are long, and none of them is shorter than half of
     * its own. Riak: {@code coord_local_soft_loaded}.
     */
    LOCAL_OVER_LIMIT,
    /**
     * Another replica: its queue is short, or was when last heard, or its speed is compared with this node's. Riak:
     * {@code coord_redir_loaded_local} if this node is a replica with a long queue or without a free thread,
     * {@code coord_redir_unloaded} if this node is no replica.
     */
    REDIRECTED,
    /**
     * The replica with the shortest queue, when all are long and this node is no replica or has a queue more than twice
     * as long. Riak: {@code coord_redir_least_loaded}.
     */
    LEAST_LOADED,
    /**
     * A random replica: none answered in time, or a quarter of the request threads waited already. Riak's
     * {@code vnode_mbox_check_timeout} counts each wait that has run out, whatever is decided then.
     */
    TIMED_OUT,
    /** A random replica, without a wait: no replica can answer. This is plain Cassandra's choice. */
    RANDOM
}
