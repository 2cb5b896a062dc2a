// SPDX-License-Identifier: Apache-2.0
/**
 * Queue-aware coordination: which replica should coordinate a write that one replica applies first,
 * so that a replica with a long queue is not on the write's way.
 *
 * <p>The way of one decision: a {@link dev.isotherm.queue.DepthEstimator} per peer believes a queue
 * depth, {@link dev.isotherm.queue.LeaderChoice} decides at once where the beliefs suffice, and an
 * {@link dev.isotherm.queue.AskRound} waits for the answers of peers where they do not. Either way
 * the outcome is a {@link dev.isotherm.queue.LeaderDecision}. Where nodes serve at different paces,
 * {@link dev.isotherm.queue.ServiceWeights} make their depths comparable first. Clocks and random numbers are always
 * handed in; sending, waiting and counting are the caller's.
 */
package dev.isotherm.queue;
