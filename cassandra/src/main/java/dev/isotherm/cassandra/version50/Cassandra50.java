// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version50;

import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.version.TaskWatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.restrictions.StatementRestrictions;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.cql3.statements.schema.AlterTableStatement;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.cql3.statements.schema.LimitingTableStatement;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.gms.VersionGenerator;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.service.StorageService;

/** Cassandra 5.0; other lines differ from it. */
public class Cassandra50 implements CassandraVersion {
    /*
     * Padding states: nodes without the plugin pass their values on unchanged. Gossip sends the place of a state in the
     * enum, and a node that has nothing there drops the whole message with all that it says. Each line of Cassandra has
     * put states before the padding ones; at these places 4.0, 4.1, 5.0 and 6.0 have padding.
     */
    private static final ApplicationState LIMITED_KEYS = ApplicationState.values()[24];
    private static final ApplicationState WIRE = ApplicationState.values()[25];
    private static final ApplicationState OUT_OF_READS = ApplicationState.values()[26];
    private static final ApplicationState QUEUE = ApplicationState.values()[27];
    private static final ApplicationState HEAT = ApplicationState.values()[28];

    /**
     * The method of StorageProxy that asks the snitch for the replicas that can lead a counter update, and picks one.
     */
    static final String LEADER_PICK = "findSuitableReplica";

    private static final StackWalker STACK = StackWalker.getInstance();
    private static final String OUR_CLASSES = "dev.isotherm.";

    @Override
    public String releaseLine() {
        return "5.0";
    }

    @Override
    public List<ByteBuffer> partitionKeys(SelectStatement statement, QueryOptions options, ClientState state) {
        StatementRestrictions restrictions = statement.getRestrictions();
        return restrictions.keyIsInRelation()
                ? UnwarnedKeys.of(() -> restrictions.getPartitionKeys(options, state))
                : restrictions.getPartitionKeys(options, state);
    }

    @Override
    public List<ByteBuffer> partitionKeys(ModificationStatement statement, QueryOptions options, ClientState state) {
        return statement.getRestrictions().keyIsInRelation()
                ? UnwarnedKeys.of(() -> statement.buildPartitionKeyNames(options, state))
                : statement.buildPartitionKeyNames(options, state);
    }

    @Override
    public boolean definesTable(CQLStatement statement) {
        return statement instanceof AlterTableStatement || statement instanceof CreateTableStatement;
    }

    @Override
    public CQLStatement limitingTable(CQLStatement statement, String query) {
        // The prepared statement does not expose its properties; the newly parsed one does.
        ClientState inKeyspace =
                ClientState.forInternalCalls(((CQLStatement.SingleKeyspaceCqlStatement) statement).keyspace());
        CQLStatement limiting = LimitingTableStatement.of(QueryProcessor.parseStatement(query), inKeyspace);
        return limiting == null ? statement : limiting;
    }

    @Override
    public Set<Permission> permissionsForKeys(TableMetadata table) {
        return ColumnMasks.permissionsForKeys(table);
    }

    @Override
    public UUID uuidOf(TableId table) {
        return table.asUUID();
    }

    @Override
    public ApplicationState heatState() {
        return HEAT;
    }

    @Override
    public ApplicationState queueState() {
        return QUEUE;
    }

    @Override
    public ApplicationState outOfReadsState() {
        return OUT_OF_READS;
    }

    @Override
    public ApplicationState limitedKeysState() {
        return LIMITED_KEYS;
    }

    @Override
    public ApplicationState wireState() {
        return WIRE;
    }

    @Override
    public boolean allTakePaddingStates() {
        // It speaks with no node older than 4.0.
        return true;
    }

    @Override
    public VersionedValue gossipValue(String text) {
        return VersionedValue.unsafeMakeVersionedValue(text, VersionGenerator.getNextVersion());
    }

    @Override
    public boolean canLeadCounters(InetAddressAndPort node) {
        return StorageService.instance.isRpcReady(node) && FailureDetector.instance.isAlive(node);
    }

    @Override
    public boolean isPickingCounterLeader() {
        // Skips all frames of the plugin: the frame that called the first of them decides.
        return STACK.walk(
                frames -> frames.dropWhile(frame -> frame.getClassName().startsWith(OUR_CLASSES))
                        .limit(1)
                        .anyMatch(frame -> frame.getMethodName().equals(LEADER_PICK)
                                && frame.getClassName().equals(StorageProxy.class.getName())));
    }

    @Override
    public Runnable watchTasks(TaskWatch watch) {
        return WatchedTasks.begin(watch);
    }

    @Override
    public void onOutbound(BiPredicate<Message<?>, InetAddressAndPort> predicate) {
        MessagingService.instance().outboundSink.add(predicate);
    }

    @Override
    public void onInbound(Predicate<Message<?>> predicate) {
        MessagingService.instance().inboundSink.add(predicate);
    }
}
