// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import dev.isotherm.cassandra.runtime.RuntimeSetting;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The virtual table {@code isotherm.settings}: the settings that can be changed on this node while it runs.
 *
 * <p>A change applies to this node only and is lost when the process ends; {@code isotherm.yaml} is permanent.
 */
public final class SettingsTable extends AbstractMutableVirtualTable {
    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");
    private static final String VALUE = "value";

    private final List<RuntimeSetting> settings;

    public SettingsTable(String keyspace, List<RuntimeSetting> settings) {
        super(TableMetadata.builder(keyspace, "settings")
                .comment("Settings of Isotherm on this node; UPDATE changes them until it restarts")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn("name", UTF8Type.instance)
                .addRegularColumn(VALUE, UTF8Type.instance)
                .build());
        this.settings = settings;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        settings.forEach(setting -> rows.row(setting.name()).column(VALUE, setting.value()));
        return rows;
    }

    @Override
    protected void applyColumnUpdate(
            ColumnValues partitionKey, ColumnValues clusteringColumns, Optional<ColumnValue> column) {
        String name = partitionKey.value(0);
        String value = column.map(c -> (String) c.value()).orElse("");
        change(name, value);
        logger.info("{} is now {}", name, value);
    }

    private void change(String name, String value) {
        for (RuntimeSetting setting : settings) {
            if (setting.name().equals(name)) {
                try {
                    setting.change(value);
                } catch (IllegalArgumentException e) {
                    throw new InvalidRequestException(name + ": " + value + " is refused; allowed: " + e.getMessage());
                }
                return;
            }
        }
        throw new InvalidRequestException("name: " + name + " is refused; allowed: "
                + settings.stream().map(RuntimeSetting::name).collect(Collectors.joining(", ")));
    }
}
