// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.KeyLimit;
import dev.isotherm.limit.Operation;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * A table with a limit, or with partitions that have limits of their own, in the form that a decision needs; created
 * once per change of the table's schema or of those partitions.
 */
final class LimitedTable {
    /** The metadata as of the last schema change. */
    final TableMetadata metadata;

    final TableId id;
    final long idMsb;
    final long idLsb;
    final TableLimits limits;
    /** Admitted reads per second and partition; {@link TableLimits#NONE} when not limited. */
    final int maxReads;
    /** Admitted writes per second and partition; {@link TableLimits#NONE} when not limited. */
    final int maxWrites;
    /** Whether operations over the limit are only counted, and still admitted. */
    final boolean dryRun;
    /** The partitions that have limits of their own; empty for most tables. Not to be changed. */
    final Map<Token, KeyLimit> keys;
    /** One object for as long as the table is limited, through all schema changes. */
    final LimitCounts counts;

    private final boolean limitsReads;
    private final boolean limitsWrites;
    private final String readRejection;
    private final String writeRejection;

    LimitedTable(TableMetadata metadata, TableLimits limits, LimitCounts counts, Map<Token, KeyLimit> keys) {
        UUID uuid = metadata.id.asUUID();
        this.metadata = metadata;
        this.id = metadata.id;
        this.idMsb = uuid.getMostSignificantBits();
        this.idLsb = uuid.getLeastSignificantBits();
        this.limits = limits;
        this.maxReads = limits.of(Operation.READ);
        this.maxWrites = limits.of(Operation.WRITE);
        this.dryRun = limits.isDryRun();
        this.counts = counts;
        this.keys = keys;
        this.limitsReads = limitsAny(Operation.READ);
        this.limitsWrites = limitsAny(Operation.WRITE);
        this.readRejection = RateLimitRejection.message(metadata, Operation.READ, maxReads);
        this.writeRejection = RateLimitRejection.message(metadata, Operation.WRITE, maxWrites);
    }

    private boolean limitsAny(Operation operation) {
        return limits.of(operation) != TableLimits.NONE
                || keys.values().stream().anyMatch(key -> key.of(operation) != KeyLimit.NONE);
    }

    /** Whether any partition has a limit of this operation: otherwise no statement has to be looked at for it. */
    boolean limits(Operation operation) {
        return operation == Operation.READ ? limitsReads : limitsWrites;
    }

    /** The limit that holds for each partition; {@link TableLimits#NONE} when there is none. */
    int limitOfEach(Operation operation) {
        return operation == Operation.READ ? maxReads : maxWrites;
    }

    /** The limit of its own that the partition with this token has; {@link TableLimits#NONE} when there is none. */
    int limitOfOne(Operation operation, Token token) {
        KeyLimit key = keys.isEmpty() ? null : keys.get(token);
        return key == null ? TableLimits.NONE : key.of(operation);
    }

    /** The exception for a client whose operation would take a partition of the table over its limit. */
    RateLimitRejection rejection(Operation operation) {
        return new RateLimitRejection(operation == Operation.READ ? readRejection : writeRejection);
    }
}
