// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import dev.isotherm.limit.Operation;

/** The kind of the limited operation, which gives the number of contacted replicas and of answers needed. */
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

    /** The number of replicas that the coordinator sends the operation to. */
    abstract int contacts(int replicas);

    /** The number of replicas that must admit the operation for the client's success. */
    abstract int needed(int replicas);
}
