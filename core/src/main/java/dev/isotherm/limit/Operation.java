// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** What is counted apart: a partition's reads do not use up its writes. */
public enum Operation {
    READ,
    WRITE
}
