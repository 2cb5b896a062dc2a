// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import dev.isotherm.cassandra.RuntimeSwitch;
import dev.isotherm.cassandra.heat.HeatSwitches;
import dev.isotherm.heat.Placement;
import java.util.Locale;
import java.util.Optional;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The virtual table {@code isotherm.settings}: what may be changed on this node while it runs.
 *
 * <p>A change is this node's alone and is gone with its process; {@code isotherm.yaml} is what lasts.
 */
public final class SettingsTable extends AbstractMutableVirtualTable {
    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");
    private static final String VALUE = "value";
    private static final String ENABLED = "heat.enabled";
    private static final String PLACEMENT = "heat.placement";
    private static final String LIMIT_ENABLED = "limit.enabled";
    private static final String QUEUE_ENABLED = "queue.enabled";

    private final HeatSwitches switches;
    private final RuntimeSwitch limits;
    private final RuntimeSwitch queues;

    public SettingsTable(String keyspace, HeatSwitches switches, RuntimeSwitch limits, RuntimeSwitch queues) {
        super(TableMetadata.builder(keyspace, "settings")
                .comment("Settings of Isotherm on this node; UPDATE changes them until it restarts")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn("name", UTF8Type.instance)
                .addRegularColumn(VALUE, UTF8Type.instance)
                .build());
        this.switches = switches;
        this.limits = limits;
        this.queues = queues;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        rows.row(ENABLED).column(VALUE, Boolean.toString(switches.isEnabled()));
        rows.row(PLACEMENT).column(VALUE, switches.placement().name().toLowerCase(Locale.ROOT));
        rows.row(LIMIT_ENABLED).column(VALUE, Boolean.toString(limits.isOn()));
        rows.row(QUEUE_ENABLED).column(VALUE, Boolean.toString(queues.isOn()));
        return rows;
    }

    @Override
    protected void applyColumnUpdate(
            ColumnValues partitionKey, ColumnValues clusteringColumns, Optional<ColumnValue> column) {
        String name = partitionKey.value(0);
        String value = column.map(c -> (String) c.value()).orElse("");
        switch (name) {
            case ENABLED:
                switches.setEnabled(flag(name, value));
                break;
            case PLACEMENT:
                switches.setPlacement(placement(value));
                break;
            case LIMIT_ENABLED:
                limits.set(flag(name, value));
                break;
            case QUEUE_ENABLED:
                queues.set(flag(name, value));
                break;
            default:
                throw new InvalidRequestException("name: " + name + " is refused; allowed: " + ENABLED + ", "
                        + PLACEMENT + ", " + LIMIT_ENABLED + ", " + QUEUE_ENABLED);
        }
        logger.info("{} is now {}", name, value);
    }

    private static boolean flag(String name, String value) {
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new InvalidRequestException(name + ": " + value + " is refused; allowed: true, false");
        }
        return Boolean.parseBoolean(value);
    }

    private static Placement placement(String value) {
        try {
            return Placement.parse(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(PLACEMENT + ": " + value + " is refused; allowed: local, affinity");
        }
    }
}
