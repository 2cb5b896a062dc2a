// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** The kind of an operation. Reads and writes of a partition are counted separately. */
public enum Operation {
    READ,
    WRITE
}
