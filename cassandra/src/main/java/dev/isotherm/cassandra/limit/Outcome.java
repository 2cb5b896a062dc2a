// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

/** How a request ended whose replicas decided about it. */
enum Outcome {
    /** Still under way. */
    UNDECIDED,
    /** The client was told that it succeeded, or nothing certain (a timeout). */
    NOT_REJECTED,
    /** The client was told that it was rejected: it must not be applied anywhere later. */
    REJECTED
}
