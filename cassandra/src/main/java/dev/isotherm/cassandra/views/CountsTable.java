// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/** The virtual table {@code isotherm.counts}: the plugin's counts on this node since it started. */
public final class CountsTable extends AbstractVirtualTable {
    private final Map<String, LongSupplier> counts;

    public CountsTable(String keyspace, Map<String, LongSupplier> counts) {
        super(TableMetadata.builder(keyspace, "counts")
                .comment("Counts of Isotherm on this node since it started")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn("name", UTF8Type.instance)
                .addRegularColumn("value", LongType.instance)
                .build());
        this.counts = counts;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        counts.forEach((name, count) -> rows.row(name).column("value", count.getAsLong()));
        return rows;
    }
}
