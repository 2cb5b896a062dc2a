// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.Operation;
import java.util.Locale;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The error for a client whose request would take a partition over its limit.
 *
 * <p>It is a configuration error (0x2300), because drivers pass this error to the application at once and try no other
 * host. It has no stack trace, so that it is cheap; its origin is always the same.
 */
final class RateLimitRejection extends ConfigurationException {
    private static final long serialVersionUID = 1;

    RateLimitRejection(String message) {
        super(message, false);
    }

    /** The message for a table and its limit: created once, not per rejection. */
    static String message(TableMetadata table, Operation operation, int limit) {
        return String.format(
                "Per-partition rate limit exceeded: %s admits at most %d %ss per second to a partition"
                        + " (per_partition_rate_limit)",
                table, limit, operation.name().toLowerCase(Locale.ROOT));
    }

    /** The message for a partition that has a limit of its own. */
    static String messageOfKey(TableMetadata table, Operation operation, int limit) {
        return String.format(
                "Per-partition rate limit exceeded: this partition of %s admits at most %d %ss per second"
                        + " (isotherm.limited_partitions)",
                table, limit, operation.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
