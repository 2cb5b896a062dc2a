// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** What became of an operation on a limited partition, and by which limit. */
public enum Verdict {
    ADMITTED,
    /** Rejected by the limit that holds for each partition of the table. */
    OVER_TABLE_LIMIT,
    /** Rejected by the partition's own limit. */
    OVER_KEY_LIMIT
}
