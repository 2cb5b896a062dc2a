// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import java.io.IOException;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.utils.Clock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cassandra's metrics count each read once, as a hit or a miss, with its time: the assumption of the heat sources. */
class HeatSourceInNodeTest {
    private static final int ROWS = 7;
    private static int tables;

    private ColumnFamilyStore table;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    @BeforeEach
    void create() {
        table = NodeInProcess.table("t" + tables++, "caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}");
        for (int key = 0; key < ROWS; key++) {
            PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table.metadata(), key);
            update.row().add("v", key);
            update.buildAsMutation().applyUnsafe();
        }
    }

    private void read(int key) {
        DecoratedKey partition = table.getPartitioner().decorateKey(Int32Type.instance.decompose(key));
        SinglePartitionReadCommand command = SinglePartitionReadCommand.fullPartitionRead(
                table.metadata(), Clock.Global.currentTimeMillis() / 1000, partition);
        try (ReadExecutionController controller = command.executionController();
                UnfilteredPartitionIterator rows = command.executeLocally(controller)) {
            while (rows.hasNext()) {
                rows.next().close();
            }
        }
    }

    private void readAll() {
        for (int key = 0; key < ROWS; key++) {
            read(key);
        }
    }

    @Test
    void theFirstReadOfARowMissesTheRowCacheAndTheNextHitsIt() {
        readAll();
        assertEquals(ROWS, HeatSource.CACHE.numerator(table), "misses");
        assertEquals(ROWS, HeatSource.CACHE.denominator(table), "look-ups");
        readAll();
        readAll();
        assertEquals(ROWS, HeatSource.CACHE.numerator(table), "misses");
        assertEquals(3 * ROWS, HeatSource.CACHE.denominator(table), "look-ups");
    }

    @Test
    void everyReadIsCountedWithItsTimeInNanoseconds() {
        long begun = System.nanoTime();
        readAll();
        readAll();
        long elapsed = System.nanoTime() - begun;
        assertEquals(2 * ROWS, HeatSource.READ_TIME.denominator(table));
        double nanos = HeatSource.READ_TIME.numerator(table);
        // The metric counts whole microseconds: a shorter read counts as zero.
        assertTrue(nanos > 0 && nanos <= elapsed, () -> nanos + " ns of " + elapsed);
        assertTrue(nanos >= 0.01 * elapsed, () -> nanos + " ns of " + elapsed + ": another unit?");
    }

    @Test
    void anotherTablesReadsAreNotCounted() {
        ColumnFamilyStore mine = table;
        create();
        readAll();
        assertEquals(0, HeatSource.CACHE.denominator(mine));
        assertEquals(0, HeatSource.READ_TIME.denominator(mine));
    }
}
