// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.Operation;
import java.util.Locale;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The error for a client whose request would take a partition over its fair share of a saturated node. It is a
 * configuration error for the reason that {@link RateLimitRejection} is.
 */
final class FairShareRejection extends ConfigurationException {
    private static final long serialVersionUID = 1;

    /**
     * @param held the part of the threads' time that the partition held, 0 to 1
     * @param mayHold the part that it may hold
     */
    FairShareRejection(TableMetadata table, Operation operation, double held, double mayHold) {
        super(
                "Fair share exceeded: a partition of " + table + " held " + percent(held)
                        + " of the time of the threads that serve "
                        + operation.name().toLowerCase(Locale.ROOT)
                        + "s on a saturated replica and may hold " + percent(mayHold) + " (limit.fair_share)",
                false);
    }

    static String percent(double part) {
        return Math.round(part * 100) + " %";
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
