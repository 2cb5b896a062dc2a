// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.limit;

import dev.isotherm.limit.Operation;

/** The map key of a limited partition: the table's id, the operation and the token. */
final class PartitionKey {
    private final long tableMsb;
    private final long tableLsb;
    private final Operation operation;
    private final long token;

    PartitionKey(long tableMsb, long tableLsb, Operation operation, long token) {
        this.tableMsb = tableMsb;
        this.tableLsb = tableLsb;
        this.operation = operation;
        this.token = token;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof PartitionKey)) {
            return false;
        }
        PartitionKey key = (PartitionKey) other;
        return token == key.token && tableLsb == key.tableLsb && tableMsb == key.tableMsb && operation == key.operation;
    }

    @Override
    public int hashCode() {
        // Not Enum.hashCode(), which differs from run to run.
        return Long.hashCode(token) * 31 + Long.hashCode(tableMsb ^ tableLsb) + operation.ordinal();
    }
}
