// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.schema;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version.CassandraVersion;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;

/**
 * The table option {@code per_partition_rate_limit} in statements that Cassandra has parsed.
 *
 * <p>Cassandra's grammar accepts any option; only the execution of the statement refuses unknown ones. A CREATE or
 * ALTER TABLE with the option is therefore replaced between parsing and execution.
 */
public final class LimitOption {
    private final CassandraVersion version;
    private final Failures failures;

    public LimitOption(CassandraVersion version, Failures failures) {
        this.version = version;
        this.failures = failures;
    }

    /**
     * Returns the statement that sets the option in place of Cassandra's; a statement without the option is returned
     * unchanged.
     */
    public CQLStatement in(CQLStatement statement, String query) {
        try {
            return version.definesTable(statement) && mayBeIn(query)
                    ? version.limitingTable(statement, query)
                    : statement;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A table definition stays as Cassandra understands it", e);
            return statement;
        }
    }

    /**
     * Does the same for a prepared statement; null stays null.
     *
     * <p>The replacement takes place at look-up, not at preparation: after a restart Cassandra prepares statements by
     * itself.
     */
    public QueryHandler.Prepared in(QueryHandler.Prepared prepared) {
        if (prepared == null) {
            return null;
        }
        CQLStatement statement = in(prepared.statement, prepared.rawCQLStatement);
        return statement == prepared.statement
                ? prepared
                : new QueryHandler.Prepared(
                        statement, prepared.rawCQLStatement, prepared.fullyQualified, prepared.keyspace);
    }

    /** Whether the text may set limits; also true for a text that only contains the option's name. */
    static boolean mayBeIn(String query) {
        // The name of the extension ends in that of the option.
        int length = TableLimits.OPTION.length();
        for (int i = 0; i <= query.length() - length; i++) {
            if (query.regionMatches(true, i, TableLimits.OPTION, 0, length)) {
                return true;
            }
        }
        return false;
    }
}
