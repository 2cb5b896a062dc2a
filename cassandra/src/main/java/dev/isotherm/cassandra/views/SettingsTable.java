// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import dev.isotherm.cassandra.runtime.NodeSettings;
import dev.isotherm.cassandra.runtime.RationedLog;
import java.util.Date;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The virtual table {@code isotherm.settings}: the settings that can be changed on this node while it runs.
 *
 * <p>A change applies to this node only. It ends with the process unless {@code kept} is true.
 */
public final class SettingsTable extends WritableView {
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

    /**
     * Changes the settings that a statement names; the value and whether it is kept together, or neither. A value that
     * is not to be kept runs also where the file cannot be written.
     */
    @Override
    protected void change(PartitionUpdate update) {
        String name = UTF8Type.instance.compose(update.partitionKey().getKey());
        if (!update.deletionInfo().isLive()) {
            throw new InvalidRequestException("a DELETE of " + name + " is refused; allowed: UPDATE");
        }
        for (Row row : update) {
            try {
                apply(name, row);
            } catch (IllegalArgumentException e) {
                throw new InvalidRequestException(e.getMessage());
            }
        }
    }

    private void apply(String name, Row row) {
        String value = null;
        Boolean keep = null;
        for (Cell<?> cell : row.cells()) {
            String column = cell.column().name.toString();
            Object written = cell.isTombstone() ? null : cell.column().type.compose(cell.buffer());
            if (column.equals(VALUE) && written != null) {
                value = (String) written;
            } else if (column.equals(KEPT) && written != null) {
                keep = (Boolean) written;
            } else {
                throw new IllegalArgumentException(
                        column + ": " + written + " is refused; allowed: the columns value and kept, and not null");
            }
        }
        if (value == null && keep == null) {
            throw new IllegalArgumentException(
                    name + " without a value is refused; allowed: the columns value and kept");
        }
        String before = settings.has(name) ? settings.valueOf(name) : null;
        try {
            if (keep == null) {
                settings.change(name, value);
            } else if (value == null) {
                settings.keep(name, keep);
            } else {
                settings.change(name, value, keep);
            }
        } catch (IllegalArgumentException e) {
            if (before != null && !before.equals(settings.valueOf(name))) {
                log.info("{} is now {}, but: {}", name, settings.valueOf(name), e.getMessage());
            }
            throw e;
        }
        log.info("{} is now {}{}", name, settings.valueOf(name), keep == null ? "" : keep ? ", kept" : ", not kept");
    }
}
