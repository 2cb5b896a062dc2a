// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.Operation;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/** A table with a limit, in the form that a decision needs; created once per change of the table's schema. */
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
    /** One object for as long as the table is limited, through all schema changes. */
    final LimitCounts counts;

    private final String readRejection;
    private final String writeRejection;

    LimitedTable(TableMetadata metadata, TableLimits limits, LimitCounts counts) {
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
        this.readRejection = RateLimitRejection.message(metadata, Operation.READ, maxReads);
        this.writeRejection = RateLimitRejection.message(metadata, Operation.WRITE, maxWrites);
    }

    /** The exception for a client whose operation would take a partition of the table over its limit. */
    RateLimitRejection rejection(Operation operation) {
        return new RateLimitRejection(operation == Operation.READ ? readRejection : writeRejection);
    }
}
