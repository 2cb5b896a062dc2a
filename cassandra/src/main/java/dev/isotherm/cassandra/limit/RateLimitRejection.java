// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.Operation;
import java.util.Locale;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.TableMetadata;

/**
 * What a client gets whose request would take a partition over its limit.
 *
 * <p>A configuration error (0x2300), because drivers hand that to the application at once and try no other host. It has
 * no stack trace: it is made to be cheap, and where it comes from is no riddle.
 */
final class RateLimitRejection extends ConfigurationException {
    private static final long serialVersionUID = 1;

    RateLimitRejection(String message) {
        super(message, false);
    }

    /** The message for a table and its limit: made once, not per rejection. */
    static String message(TableMetadata table, Operation operation, int limit) {
        return String.format(
                "Per-partition rate limit exceeded: %s admits at most %d %ss per second to a partition"
                        + " (per_partition_rate_limit)",
                table, limit, operation.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
