// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.guard.ReplicaStatus;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The virtual table {@code isotherm.heat}: the heat that this coordinator knows of each replica, and the reads that it
 * sends there.
 */
final class HeatTable extends AbstractVirtualTable {
    private static final String SOURCE = "source";
    private static final String HIT_RATIO = "hit_ratio";
    private static final String READ_TIME = "read_time_us";
    private static final String COST = "cost_us";
    private static final String AGE = "age_ms";
    private static final String COORDINATED = "coordinated_per_s";
    private static final String WANTED = "share_wanted";
    private static final String SENT = "share_sent";
    private static final String GUARD = "guard";
    private static final String AVOIDED = "avoided_ms";
    private static final String UNANSWERED = "unanswered";
    private static final String PLACEMENT = "placement";
    private static final String SINCE = "placement_since";
    private static final String VOTE = "vote";

    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final GroupPlans plans;
    private final HeatSwitches switches;
    private final Function<InetAddressAndPort, ReplicaStatus> guard;

    /** @param guard what the guard sees of a replica; null if it sees nothing */
    HeatTable(
            String keyspace,
            HeatBoard<TableId, InetAddressAndPort> board,
            GroupPlans plans,
            HeatSwitches switches,
            Function<InetAddressAndPort, ReplicaStatus> guard) {
        super(TableMetadata.builder(keyspace, "heat")
                .comment(
                        "Heat believed of each replica, and the shares of this coordinator's reads it should get and got")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
                .addClusteringColumn("table_name", UTF8Type.instance)
                .addClusteringColumn("replica", InetAddressType.instance)
                .addClusteringColumn("port", Int32Type.instance)
                .addRegularColumn(SOURCE, UTF8Type.instance)
                .addRegularColumn(HIT_RATIO, DoubleType.instance)
                .addRegularColumn(READ_TIME, DoubleType.instance)
                .addRegularColumn(COST, DoubleType.instance)
                .addRegularColumn(AGE, LongType.instance)
                .addRegularColumn(COORDINATED, DoubleType.instance)
                .addRegularColumn(WANTED, DoubleType.instance)
                .addRegularColumn(SENT, DoubleType.instance)
                .addRegularColumn(GUARD, UTF8Type.instance)
                .addRegularColumn(AVOIDED, LongType.instance)
                .addRegularColumn(UNANSWERED, Int32Type.instance)
                .addRegularColumn(PLACEMENT, UTF8Type.instance)
                .addRegularColumn(SINCE, TimestampType.instance)
                .addRegularColumn(VOTE, UTF8Type.instance)
                .build());
        this.board = board;
        this.plans = plans;
        this.switches = switches;
        this.guard = guard;
    }

    @Override
    public DataSet data() {
        return rows(keyspace -> true);
    }

    /** The rows of one keyspace alone: on a large cluster all are a hundred thousand. */
    @Override
    public DataSet data(DecoratedKey key) {
        return rows(UTF8Type.instance.compose(key.getKey())::equals);
    }

    private DataSet rows(Predicate<String> ofKeyspace) {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        long nowNanos = System.nanoTime();
        for (TableId id : board.tables()) {
            TableMetadata table = Schema.instance.getTableMetadata(id);
            if (table != null && ofKeyspace.test(table.keyspace)) {
                ShareLedger ledger = plans.shownLedgerOf(id);
                for (InetAddressAndPort replica : board.nodes(id)) {
                    addRow(rows, table, replica, ledger, nowNanos);
                }
            }
        }
        return rows;
    }

    private void addRow(
            SimpleDataSet rows, TableMetadata table, InetAddressAndPort replica, ShareLedger ledger, long nowNanos) {
        rows.row(table.keyspace, table.name, replica.getAddress(), replica.getPort());
        Heat believed = board.heatOf(table.id, replica, nowNanos);
        if (believed != null) {
            addHeat(rows, believed);
        }
        rows.column(AGE, TimeUnit.NANOSECONDS.toMillis(board.ageNanos(table.id, replica, nowNanos)));
        RequestRate coordinated = board.rateOf(table.id, replica, nowNanos);
        if (coordinated != null) {
            rows.column(COORDINATED, coordinated.perSecond());
        }
        addShare(rows, WANTED, ledger.wantedShareOf(replica));
        addShare(rows, SENT, ledger.sentShareOf(replica));
        addGuard(rows, guard.apply(replica));
        TableBalance balance = switches.balanceOf(table.id);
        addPlacement(rows, PLACEMENT, balance.settings().placement());
        rows.column(SINCE, new Date(balance.sinceMillis()));
        addPlacement(rows, VOTE, board.voteOf(table.id, replica, nowNanos));
    }

    private static void addHeat(SimpleDataSet rows, Heat believed) {
        switch (believed.kind()) {
            case MISS_RATIO:
                rows.column(SOURCE, "cache");
                rows.column(HIT_RATIO, 1 - believed.value());
                break;
            case READ_TIME:
                rows.column(SOURCE, "read_time");
                rows.column(READ_TIME, believed.value() / 1000);
                break;
            default:
                rows.column(SOURCE, "disk");
                rows.column(COST, believed.value() / 1000);
        }
    }

    private static void addGuard(SimpleDataSet rows, ReplicaStatus status) {
        if (status != null) {
            rows.column(GUARD, status.state()).column(UNANSWERED, status.unanswered());
            if (status.forNanos() >= 0) {
                rows.column(AVOIDED, TimeUnit.NANOSECONDS.toMillis(status.forNanos()));
            }
        }
    }

    private static void addPlacement(SimpleDataSet rows, String column, Placement placement) {
        if (placement != null) {
            rows.column(column, PlacementChoice.of(placement).text());
        }
    }

    private static void addShare(SimpleDataSet rows, String column, double share) {
        if (!Double.isNaN(share)) {
            rows.column(column, share);
        }
    }
}
