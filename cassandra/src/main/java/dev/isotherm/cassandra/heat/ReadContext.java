// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.StatementScope;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.CassandraException;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The context of the read that the present thread executes, passed from the query handler to the snitch.
 *
 * <p>Each thread has one object, filled before a statement and cleared after it. Reads that Cassandra makes for itself
 * in between (of permissions, for example) have other tokens; {@link #expects} distinguishes them.
 */
final class ReadContext implements StatementScope.Part {
    private static final StatementScope.Slot<ReadContext> SLOT = new StatementScope.Slot<>(ReadContext::new);

    private TableMetadata table;
    private ConsistencyLevel consistencyLevel;
    private Supplier<List<ByteBuffer>> partitionKeys;
    private boolean comparesTokens;
    private boolean goesOn;
    private Token onlyToken;
    private Set<Token> tokens;
    private Token lastToken;
    private final Permutation permutation = new Permutation();
    /** The keyspace that was asked about last. */
    private String askedKeyspace;
    /** Whether that is Cassandra's own; remembered, as six look-ups of its name tell. */
    private boolean isSystemKeyspace;

    private ReadContext() {}

    /** The present thread's context; it is empty while no statement is being executed. */
    static ReadContext current() {
        return of(StatementScope.current());
    }

    /** The context of the scope's statement. */
    static ReadContext of(StatementScope scope) {
        return scope.part(SLOT);
    }

    /**
     * Begins a statement that reads single partitions of the table at the consistency level.
     *
     * @param partitionKeys the serialised keys that the statement names; null if Cassandra reads nothing for itself in
     *     between
     */
    void begin(TableMetadata table, ConsistencyLevel consistencyLevel, Supplier<List<ByteBuffer>> partitionKeys) {
        this.table = table;
        this.consistencyLevel = consistencyLevel;
        this.partitionKeys = partitionKeys;
        this.comparesTokens = partitionKeys != null;
    }

    /** The statement reads a page that is not the first: what it reads was read up to there. */
    void goOn() {
        goesOn = true;
    }

    /** Whether it reads such a page. */
    boolean goesOn() {
        return goesOn;
    }

    @Override
    public void clear() {
        table = null;
        goesOn = false;
        consistencyLevel = null;
        partitionKeys = null;
        onlyToken = null;
        tokens = null;
        lastToken = null;
    }

    /** Whether the keyspace is Cassandra's own; the name is that of a schema, which has one object for it. */
    boolean isSystem(String keyspace) {
        if (keyspace != askedKeyspace) {
            isSystemKeyspace = SchemaConstants.isSystemKeyspace(keyspace);
            askedKeyspace = keyspace;
        }
        return isSystemKeyspace;
    }

    /** Whether a statement is being executed. */
    boolean isActive() {
        return table != null;
    }

    TableMetadata table() {
        return table;
    }

    ConsistencyLevel consistencyLevel() {
        return consistencyLevel;
    }

    /**
     * Whether the token belongs to a partition that the statement names. It is then the {@link #lastToken} of the
     * statement.
     */
    boolean expects(Token token) {
        boolean expected = !comparesTokens || isNamed(token);
        if (expected) {
            lastToken = token;
        }
        return expected;
    }

    private boolean isNamed(Token token) {
        if (partitionKeys != null) {
            Supplier<List<ByteBuffer>> keys = partitionKeys;
            partitionKeys = null;
            tokens = Set.of();
            try {
                readTokens(keys.get());
            } catch (CassandraException e) {
                // A mistake of the client's, met while Cassandra reads permissions: it has not looked at the keys yet.
                return false;
            }
        }
        return onlyToken != null ? onlyToken.equals(token) : tokens.contains(token);
    }

    /** The token of the partition whose replicas the statement asked for last; null before. */
    Token lastToken() {
        return lastToken;
    }

    private void readTokens(List<ByteBuffer> keys) {
        if (keys.size() == 1) {
            onlyToken = table.partitioner.getToken(keys.get(0));
            return;
        }
        tokens = new HashSet<>();
        for (ByteBuffer key : keys) {
            tokens.add(table.partitioner.getToken(key));
        }
    }

    /** The places of so many replicas in an order, all without one; the thread's own array, as long or longer. */
    int[] placesOf(int replicas) {
        return permutation.placesOf(replicas);
    }

    /** The replicas in the order of the places that were given to them. */
    EndpointsForToken permuted(EndpointsForToken replicas) {
        return permutation.of(replicas);
    }
}
