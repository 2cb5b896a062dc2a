// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

/** The outcome of a request about which its replicas decided. */
enum Outcome {
    /** The request is in progress. */
    UNDECIDED,
    /**
     * The client got a success or a failure other than a rejection (such as a timeout, which leaves the result open).
     */
    NOT_REJECTED,
    /** The client got a rejection: the request must not be applied anywhere later. */
    REJECTED
}
