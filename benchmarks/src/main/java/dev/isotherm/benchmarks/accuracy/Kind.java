// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import dev.isotherm.limit.Operation;

/** What kind of operation is limited, and so how many replicas it contacts and must hear from. */
enum Kind {
    /** All replicas are contacted, a majority must answer. */
    WRITE(Operation.WRITE) {
        @Override
        int contacts(int replicas) {
            return replicas;
        }

        @Override
        int needed(int replicas) {
            return replicas / 2 + 1;
        }
    },
    READ_QUORUM(Operation.READ) {
        @Override
        int contacts(int replicas) {
            return replicas / 2 + 1;
        }

        @Override
        int needed(int replicas) {
            return contacts(replicas);
        }
    },
    READ_ONE(Operation.READ) {
        @Override
        int contacts(int replicas) {
            return 1;
        }

        @Override
        int needed(int replicas) {
            return 1;
        }
    };

    final Operation operation;

    Kind(Operation operation) {
        this.operation = operation;
    }

    /** How many replicas the coordinator sends the operation to. */
    abstract int contacts(int replicas);

    /** How many of them must admit it for the client to succeed. */
    abstract int needed(int replicas);
}
