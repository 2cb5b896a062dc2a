// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.UnansweredRead;
import dev.isotherm.heat.DiskReads;
import dev.isotherm.warming.CopyPlaces;
import java.io.File;
import java.io.IOException;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.Clock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Reads of Cassandra's own storage on the files of a real disk: what the page cache does not hold is seen. */
@EnabledOnOs(OS.LINUX)
class DiskSamplingInNodeTest {
    private static final int ROWS = 100;
    private static final long SECOND = 1_000_000_000L;
    private static int tables;

    private ColumnFamilyStore table;
    private DiskSampling sampling;
    private DiskReads disk;
    /** What decides whether a read is sampled: below 1 all are, at first. */
    private double drawn;

    /** How often the thread has slept in reads for which the disk was read. */
    private long sleptFromDisk;

    private final ThreadDiskReads kernel = new ThreadDiskReads();
    /** How often the thread of the last copy slept at least, and at most, while it was sampled. */
    private long leastSleeps;

    private long mostSleeps;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        assertTrue(ThreadDiskReads.areTold());
    }

    @BeforeEach
    void create() {
        table = NodeInProcess.table("disk" + tables++, "caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'}");
        for (int key = 0; key < ROWS; key++) {
            PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table.metadata(), key);
            update.row().add("v", key);
            update.buildAsMutation().applyUnsafe();
        }
        table.forceBlockingFlush(ColumnFamilyStore.FlushReason.UNIT_TESTS);
        disk = new DiskReads(SECOND, 1, 0);
        sampling = new DiskSampling(System::nanoTime, () -> drawn, () -> 1);
        sampling.follow(table.metadata.id, disk);
    }

    /** Reads a row; whether the kernel says that the disk was read for it. */
    private boolean read(int key, boolean here) {
        DecoratedKey partition = table.getPartitioner().decorateKey(Int32Type.instance.decompose(key));
        SinglePartitionReadCommand command = SinglePartitionReadCommand.fullPartitionRead(
                table.metadata(), Clock.Global.currentTimeMillis() / 1000, partition);
        DiskSampling.Sample sample = sampling.begin(table.metadata.id, here);
        try (ReadExecutionController controller = command.executionController();
                UnfilteredPartitionIterator rows = command.executeLocally(controller)) {
            while (rows.hasNext()) {
                rows.next().close();
            }
        }
        sampling.end(here);
        boolean fromDisk = sample.usage.diskReads() > sample.diskReads;
        sleptFromDisk += fromDisk ? sample.usage.sleeps() - sample.sleeps : 0;
        return fromDisk;
    }

    private void dropFromPageCache() {
        for (SSTableReader sstable : table.getLiveSSTables()) {
            for (File file : new File(sstable.getFilename()).getParentFile().listFiles(File::isFile)) {
                PageCache.drop(file.getPath());
            }
        }
    }

    private double waitsPerReadOfTheNext(Runnable reads) {
        DiskReads fresh = new DiskReads(SECOND, 1, 0);
        sampling.follow(table.metadata.id, fresh);
        disk = fresh;
        reads.run();
        assertEquals(ROWS, fresh.sampled());
        // So long after the start, the cold beginning weighs no more than 20 of 120 reads; each waits once.
        fresh.settle(ROWS, 1);
        return (fresh.waitsPerRead() * (ROWS + 20) - 20) / ROWS;
    }

    /** The stage has one task: another coordinator's read is that one, and a statement is none of it yet. */
    @Test
    void aReadIsUnderWayItself() {
        for (boolean here : new boolean[] {false, true}) {
            assertEquals(here ? 2 : 1, sampling.begin(table.metadata.id, here).underWay);
            sampling.end(here);
        }
    }

    @Test
    void everyReadOfDroppedFilesGoesToTheDiskAndNoOtherDoes() {
        for (boolean here : new boolean[] {false, true}) {
            sleptFromDisk = 0;
            double cold = waitsPerReadOfTheNext(() -> {
                for (int key = 0; key < ROWS; key++) {
                    dropFromPageCache();
                    assertTrue(read(key, here), "of dropped files");
                }
            });
            // The index and the row lie in files of their own. A fast disk may have answered before the thread sleeps,
            // the more often the busier the processors are: that read has not waited.
            assertTrue(cold < 10, () -> cold + " waits");
            assertEquals(sleptFromDisk / (double) ROWS, cold, 1e-6, "as often as the kernel had the thread sleep");
            double warm = waitsPerReadOfTheNext(() -> {
                for (int key = 0; key < ROWS; key++) {
                    assertFalse(read(key, here), "of files in the page cache");
                }
            });
            assertEquals(0, warm, 0.01);
        }
    }

    private long waitsOfCopy(int key) {
        DecoratedKey partition = table.getPartitioner().decorateKey(Int32Type.instance.decompose(key));
        SinglePartitionReadCommand copy = SinglePartitionReadCommand.fullPartitionRead(
                table.metadata(), Clock.Global.currentTimeMillis() / 1000, partition);
        long before = sleeps();
        sampling.begin(copy);
        long from = sleeps();
        assertTrue(UnansweredRead.serve(copy, System.nanoTime(), new Failures(), "it failed"));
        long to = sleeps();
        long waited = sampling.end();
        leastSleeps = to - from;
        // The thread may also sleep before and after it is asked within, as at a safepoint.
        mostSleeps = sleeps() - before;
        return waited;
    }

    /** How often the present thread has slept, as the kernel says. */
    private long sleeps() {
        assertTrue(kernel.ask());
        return kernel.sleeps();
    }

    @Test
    void copiesCountAsReadsAndSayHowOftenTheyWaited() {
        long[] waits = {0};
        double cold = waitsPerReadOfTheNext(() -> {
            for (int key = 0; key < ROWS; key++) {
                dropFromPageCache();
                assertTrue(kernel.ask());
                long diskReads = kernel.diskReads();
                long waited = waitsOfCopy(key);
                assertTrue(kernel.diskReads() > diskReads, "of dropped files");
                assertTrue(
                        leastSleeps <= waited && waited <= mostSleeps,
                        () -> waited + ", but the kernel had the thread sleep " + leastSleeps + " times");
                waits[0] += waited;
            }
        });
        assertTrue(cold < 10, () -> cold + " waits");
        assertEquals(cold, waits[0] / (double) ROWS, 1e-6);
        double warm = waitsPerReadOfTheNext(() -> {
            for (int key = 0; key < ROWS; key++) {
                assertEquals(0, waitsOfCopy(key));
            }
        });
        assertEquals(0, warm, 0.01);
        sampling.followOnly(Set.of());
        assertEquals(CopyPlaces.NOT_KNOWN, waitsOfCopy(1), "of a table that is not followed");
    }

    @Test
    void aReadEndsOnlyAsItBegan() {
        read(1, true);
        assertEquals(1, disk.sampled());
        sampling.begin(table.metadata.id, false);
        sampling.end(true);
        assertEquals(1, disk.sampled(), "a timing of another read, while this one serves a coordinator elsewhere");
        sampling.begin(table.metadata.id, true);
        sampling.begin(null, true);
        sampling.end(true);
        sampling.end(false);
        assertEquals(1, disk.sampled(), "the statement has ended");
    }

    @Test
    void aReadThatIsNotSampledEndsWhatItsThreadServedBefore() {
        assertNotNull(sampling.begin(table.metadata.id, false));
        drawn = 1;
        assertNull(sampling.begin(table.metadata.id, false), "the sample before has had no answer");
        sampling.end(false);
        assertEquals(0, disk.sampled());
        assertNull(sampling.begin(table.metadata.id, false), "no sample is open");
        sampling.end(false);
        assertEquals(0, disk.sampled());
        drawn = 0;
        read(1, false);
        assertEquals(1, disk.sampled());
    }

    @Test
    void whatAnotherThreadHasBegunStaysOpen() throws InterruptedException {
        sampling.begin(table.metadata.id, false);
        Thread other = new Thread(() -> read(1, false));
        other.start();
        other.join();
        assertEquals(1, disk.sampled());
        sampling.end(false);
        assertEquals(2, disk.sampled());
    }

    /** A count that fell would seem to Prometheus to have begun anew. */
    @Test
    void theReadsSampledOfATableThatIsDroppedStayCounted() {
        read(1, true);
        assertEquals(1, sampling.sampled());
        sampling.followOnly(Set.of());
        assertEquals(1, sampling.sampled());
        sampling.follow(table.metadata.id, new DiskReads(SECOND, 1, 0));
        assertEquals(1, sampling.sampled());
    }
}
