// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

/** Where the clients' operations enter the cluster. */
enum Entry {
    /** At all replicas of the partition alike: each is a coordinator and decides what it is sent. */
    ALL_REPLICAS,
    /** At one replica only. */
    ONE_REPLICA,
    /** At nodes that are no replicas: the replicas decide, by the random number that travels with the operation. */
    NO_REPLICA
}
