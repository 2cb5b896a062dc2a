// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import dev.isotherm.cassandra.runtime.NodeSettings;
import dev.isotherm.cassandra.runtime.RationedLog;
import java.util.Date;
import java.util.Optional;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The virtual table {@code isotherm.settings}: the settings that can be changed on this node while it runs.
 *
 * <p>A change applies to this node only. It ends with the process unless {@code kept} is true.
 */
public final class SettingsTable extends AbstractMutableVirtualTable {
    private static final String VALUE = "value";
    private static final String FILE = "file";
    private static final String SINCE = "since";
    private static final String KEPT = "kept";

    private final NodeSettings settings;
    private final RationedLog log = new RationedLog(System::nanoTime);

    public SettingsTable(String keyspace, NodeSettings settings) {
        super(TableMetadata.builder(keyspace, "settings")
                .comment(
                        "Settings of Isotherm on this node; UPDATE changes them until it restarts, or for good if kept")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn("name", UTF8Type.instance)
                .addRegularColumn(VALUE, UTF8Type.instance)
                .addRegularColumn(FILE, UTF8Type.instance)
                .addRegularColumn(SINCE, TimestampType.instance)
                .addRegularColumn(KEPT, BooleanType.instance)
                .build());
        this.settings = settings;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (NodeSettings.Entry setting : settings.entries()) {
            rows.row(setting.name())
                    .column(VALUE, setting.value())
                    .column(FILE, setting.configured())
                    .column(SINCE, new Date(setting.sinceMillis()))
                    .column(KEPT, setting.isKept());
        }
        return rows;
    }

    @Override
    protected void applyColumnUpdate(
            ColumnValues partitionKey, ColumnValues clusteringColumns, Optional<ColumnValue> column) {
        String name = partitionKey.value(0);
        try {
            if (column.isEmpty()) {
                settings.change(name, "");
            } else if (column.get().name().equals(KEPT)) {
                boolean keep = column.get().value();
                settings.keep(name, keep);
                log.info("{} is {}", name, keep ? "kept from now on" : "no longer kept");
            } else if (column.get().name().equals(VALUE)) {
                String value = column.get().value();
                settings.change(name, value);
                log.info("{} is now {}", name, value);
            } else {
                throw new IllegalArgumentException(
                        column.get().name() + " is refused; allowed: the columns value and kept");
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(e.getMessage());
        }
    }
}
