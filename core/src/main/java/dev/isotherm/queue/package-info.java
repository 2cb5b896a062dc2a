// SPDX-License-Identifier: Apache-2.0
/**
 * Queue-aware coordination: chooses the replica that leads a coordinated write, which is a counter update in Cassandra,
 * so that it avoids replicas with a long queue.
 *
 * <p>The way of one decision: a {@link dev.isotherm.queue.DepthEstimator} per peer estimates the peer's queue depth.
 * {@link dev.isotherm.queue.LeaderChoice} decides at once if the estimates suffice; otherwise an
 * {@link dev.isotherm.queue.AskRound} waits for the answers of peers. The outcome is a
 * {@link dev.isotherm.queue.LeaderDecision}. If nodes serve at different speeds,
 * {@link dev.isotherm.queue.ServiceWeights} first makes their depths comparable. Clocks and random numbers are always
 * parameters; the caller sends, waits and counts.
 */
package dev.isotherm.queue;
