// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

/** What another node has sent cannot be read: its fault, or that of its build, and not this node's. */
final class UnreadableValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableValueException(String what) {
        super(what);
    }
}
