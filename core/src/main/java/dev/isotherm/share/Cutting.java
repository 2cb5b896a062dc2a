// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** How far the large partitions of a node are cut. */
enum Cutting {
    /** None is cut. */
    NONE,
    /** Some are cut. */
    SOME,
    /** No partition may hold more than the share to which none is cut further. */
    TO_THE_LEAST
}
