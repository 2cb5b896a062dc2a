// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.cassandra.runtime.StatementScope;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The counter update that the present thread executes, if any, and the leaders chosen for it so far.
 *
 * <p>Each thread has one object, filled before a statement and cleared after it.
 */
final class CounterUpdate implements StatementScope.Part {
    private static final StatementScope.Slot<CounterUpdate> SLOT = new StatementScope.Slot<>(CounterUpdate::new);

    private String keyspace;
    private final Map<Range<Token>, Leader> leaders = new HashMap<>();
    private boolean waited;
    private long waitsUntilNanos;

    private CounterUpdate() {}

    /** The present thread's object; it is empty while no counter update is being executed. */
    static CounterUpdate current() {
        return of(StatementScope.current());
    }

    /** The object of the scope's thread. */
    static CounterUpdate of(StatementScope scope) {
        return scope.part(SLOT);
    }

    /** Begins if the statement updates only counters of a single keyspace. */
    void begin(CQLStatement statement) {
        String updated = keyspaceOf(statement);
        if (updated != null) {
            begin(updated);
        }
    }

    /** Begins an update of counters in this keyspace. */
    void begin(String keyspace) {
        this.keyspace = keyspace;
    }

    private static String keyspaceOf(CQLStatement statement) {
        if (statement instanceof ModificationStatement) {
            ModificationStatement modification = (ModificationStatement) statement;
            return modification.isCounter() ? modification.keyspace() : null;
        }
        if (!(statement instanceof BatchStatement)) {
            return null;
        }
        String keyspace = null;
        for (ModificationStatement modification : ((BatchStatement) statement).getStatements()) {
            if (!modification.isCounter() || (keyspace != null && !keyspace.equals(modification.keyspace()))) {
                return null;
            }
            keyspace = modification.keyspace();
        }
        return keyspace;
    }

    @Override
    public void clear() {
        if (keyspace != null) {
            keyspace = null;
            leaders.clear();
            waited = false;
        }
    }

    boolean isActive() {
        return keyspace != null;
    }

    String keyspace() {
        return keyspace;
    }

    /** The leader chosen for partitions of the range; null if none was chosen yet. */
    Leader leaderOf(Range<Token> range) {
        return leaders.get(range);
    }

    /**
     * Until when a choice may wait that by itself would until this time: no longer than the first one of the statement.
     * The ranges of a batch are chosen for one after the other, and their waits would add up.
     */
    long waitsUntil(long deadlineNanos) {
        if (!waited) {
            waited = true;
            waitsUntilNanos = deadlineNanos;
        }
        return waitsUntilNanos;
    }

    void choose(Range<Token> range, Leader leader) {
        leaders.put(range, leader);
    }

    /** A chosen replica, or no particular one: then Cassandra's random pick stands. Immutable. */
    static final class Leader {
        static final Leader ANY = new Leader(null, 0);

        private final InetAddressAndPort replica;
        private final long ringVersion;

        private Leader(InetAddressAndPort replica, long ringVersion) {
            this.replica = replica;
            this.ringVersion = ringVersion;
        }

        /** @param ringVersion of a ring in which the node is a replica of the range */
        static Leader at(InetAddressAndPort replica, long ringVersion) {
            return new Leader(replica, ringVersion);
        }

        /**
         * Whether the chosen replica is not in this state, or the ring has changed, so that it may be no replica any
         * more; never if no particular one was chosen.
         */
        boolean hasLost(Predicate<InetAddressAndPort> state, long presentRingVersion) {
            return replica != null && (ringVersion != presentRingVersion || !state.test(replica));
        }

        boolean excludes(InetAddressAndPort other) {
            return replica != null && !replica.equals(other);
        }
    }
}
