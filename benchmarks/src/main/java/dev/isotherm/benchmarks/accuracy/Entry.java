// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

/** The nodes at which the clients' operations enter the cluster. */
enum Entry {
    /** All replicas of the partition alike: each is a coordinator and decides about the operations it receives. */
    ALL_REPLICAS,
    /** One replica only. */
    ONE_REPLICA,
    /** Nodes that are no replicas: the replicas decide, by the random number sent with the operation. */
    NO_REPLICA
}
