// SPDX-License-Identifier: Apache-2.0
/**
 * The guard of reads: a coordinator avoids a replica that leaves its reads unanswered, and keeps trying it.
 *
 * <p>The way of one decision: {@link dev.isotherm.guard.ReadGuard} counts the reads of this coordinator. A
 * {@link dev.isotherm.guard.RemoteReads} per replica knows which of them are unanswered and what the replica's round
 * trips usually take; {@link dev.isotherm.guard.LocalReads} judges this node's own reads by what its read threads do.
 * Their {@link dev.isotherm.guard.Evidence} moves the replica's {@link dev.isotherm.guard.Avoidance} between used,
 * avoided and tried. {@link dev.isotherm.guard.ReplicaRanks} then moves the avoided replicas of a read behind the
 * others. Clocks are parameters. Other nodes tell one thing, that they hardly run: {@link dev.isotherm.guard.LeftReads}
 * weighs it before a node that hardly runs leaves its own reads to them.
 */
package dev.isotherm.guard;
