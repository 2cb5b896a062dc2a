// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;

/**
 * The internals of Cassandra that differ between release lines, as the plugin needs them.
 *
 * <p>Everything else of the plugin compiles unchanged against every supported line.
 */
public interface CassandraVersion {
    /** The release line, such as {@code 5.0}. */
    String releaseLine();

    /** The serialised partition keys that a SELECT names. */
    List<ByteBuffer> partitionKeys(SelectStatement statement, QueryOptions options, ClientState state);

    /** The serialised partition keys that a modification names. */
    List<ByteBuffer> partitionKeys(ModificationStatement statement, QueryOptions options, ClientState state);

    /** Whether the statement is a CREATE or ALTER TABLE. */
    boolean definesTable(CQLStatement statement);

    /**
     * The statement that also sets the limits in the text of this CREATE or ALTER TABLE; the statement itself if the
     * text sets none.
     */
    CQLStatement limitingTable(CQLStatement statement, String query);

    /** What a role needs on the table, beside SELECT, for Cassandra to show it partition keys as they are. */
    Set<Permission> permissionsForKeys(TableMetadata table);

    /** The table's id in the form sent between nodes. */
    UUID uuidOf(TableId table);

    /** The padding state of gossip that carries the heat reports. */
    ApplicationState heatState();

    /** The padding state of gossip that carries the depths of queues. */
    ApplicationState queueState();

    /** The padding state of gossip in which a node asks to be left out of reads. */
    ApplicationState outOfReadsState();

    /** The padding state of gossip that carries a digest of the limits of single partitions. */
    ApplicationState limitedKeysState();

    /** The padding state of gossip in which a node says which of the plugin's messages it understands. */
    ApplicationState wireState();

    /**
     * Whether every node that gossip knows takes padding states. Before 4.0 a node has none at their places, and ends
     * the connection over which it hears of one.
     */
    boolean allTakePaddingStates();

    /** A gossip value of this node, newer than all values published before. */
    VersionedValue gossipValue(String text);

    /** Whether Cassandra would let the node lead a counter update. */
    boolean canLeadCounters(InetAddressAndPort node);

    /** Whether the present thread is inside Cassandra's pick of a counter update's leader. */
    boolean isPickingCounterLeader();

    /**
     * Has the watch told of each task that the present thread hands to Cassandra's stages from now on.
     *
     * @return to be run on the same thread: later tasks are not watched
     */
    Runnable watchTasks(TaskWatch watch);

    /** Calls the predicate for each message about to leave; {@code false} drops the message. */
    void onOutbound(BiPredicate<Message<?>, InetAddressAndPort> predicate);

    /** Calls the predicate for each message that arrived; {@code false} drops the message. */
    void onInbound(Predicate<Message<?>> predicate);
}
