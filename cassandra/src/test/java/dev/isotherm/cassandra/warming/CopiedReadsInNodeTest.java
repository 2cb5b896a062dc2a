// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.LongTimeouts;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.DiskWaits;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.wire.MangledBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CopiedReadsInNodeTest {
    private static final int ROWS = 20;
    private static int tables;
    private static LongTimeouts timeouts;

    private final Failures failures = new Failures();
    private ColumnFamilyStore table;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        // A copy that waits longer is dropped uncounted: no pause of this machine is to make one late.
        timeouts = LongTimeouts.begin();
    }

    @AfterAll
    static void end() {
        timeouts.end();
    }

    @BeforeEach
    void create() {
        table = NodeInProcess.table("copied" + tables++, "caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}");
        for (int key = 0; key < ROWS; key++) {
            PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table.metadata(), key);
            update.row().add("v", key);
            update.buildAsMutation().applyUnsafe();
        }
        table.forceBlockingFlush(ColumnFamilyStore.FlushReason.UNIT_TESTS);
    }

    private SinglePartitionReadCommand read(int key) {
        DecoratedKey partition = table.getPartitioner().decorateKey(Int32Type.instance.decompose(key));
        return SinglePartitionReadCommand.fullPartitionRead(table.metadata(), 1, partition);
    }

    private CopiedReads asking(int atATime) {
        CopiedReads copies = new CopiedReads(atATime, DiskWaits.UNKNOWN, failures);
        copies.ask(Set.of(table.metadata.id));
        return copies;
    }

    @Test
    void aReadComesBackFromTheWire() throws IOException {
        byte[] encoded = ReadOnWire.encode(read(3));
        SinglePartitionReadCommand decoded = ReadOnWire.decode(encoded);
        assertEquals(read(3).partitionKey(), decoded.partitionKey());
        assertEquals(table.metadata.id, decoded.metadata().id);
        assertArrayEquals(encoded, ReadOnWire.encode(decoded));
    }

    @Test
    void whatIsNoCopyIsRefused() throws IOException {
        byte[] encoded = ReadOnWire.encode(read(3));
        byte[] longer = Arrays.copyOf(encoded, encoded.length + 1);
        assertThrows(IOException.class, () -> ReadOnWire.decode(longer));
        assertThrows(IOException.class, () -> ReadOnWire.decode(new byte[ReadOnWire.MOST_BYTES + 1]));
        byte[] otherVersion = encoded.clone();
        otherVersion[4]++;
        assertThrows(IOException.class, () -> ReadOnWire.decode(otherVersion));
        // Lengths that are nonsense would have Cassandra allocate gigabytes: nothing that was changed is read at all.
        MangledBytes.give(61, random -> encoded.clone(), bytes -> {
            try {
                assertArrayEquals(encoded, ReadOnWire.encode(ReadOnWire.decode(bytes)));
                assertArrayEquals(encoded, bytes);
                return true;
            } catch (IOException refused) {
                assertFalse(Arrays.equals(encoded, bytes));
                return false;
            }
        });
    }

    @Test
    void aReadOfATableThatIsNotKnownIsRefused() throws IOException {
        byte[] encoded = ReadOnWire.encode(read(3));
        NodeInProcess.drop(table);
        assertThrows(IOException.class, () -> ReadOnWire.decode(encoded));
    }

    @Test
    void copiesFillTheRowCacheOneAfterTheOther() throws InterruptedException {
        CopiedReads copies = asking(1);
        long cached = table.metric.rowCacheMiss.getCount();
        for (int key = 0; key < ROWS; key++) {
            copies.take(read(key));
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (copies.served() < ROWS && System.nanoTime() - deadline < 0) {
            copies.serveWaiting();
            Thread.sleep(5);
        }
        assertEquals(ROWS, copies.served());
        assertEquals(ROWS, table.metric.rowCacheMiss.getCount() - cached);
        for (int key = 0; key < ROWS; key++) {
            assertTrue(table.containsCachedParition(read(key).partitionKey()), "key " + key);
        }
        assertEquals(0, failures.count());
    }

    @Test
    void noCopyBeginsWhileTheNodeServesAnotherReadAndWhatDoesNotFitIsDropped() throws InterruptedException {
        CopiedReads copies = asking(2);
        CountDownLatch open = new CountDownLatch(1);
        Stage.READ.execute(() -> awaitUninterruptibly(open));
        for (int i = 0; i < 100; i++) {
            copies.take(read(i % ROWS));
        }
        assertEquals(100, copies.arrived());
        assertEquals(100 - 64, copies.dropped());
        assertEquals(
                1,
                Stage.READ.executor().getActiveTaskCount()
                        + Stage.READ.executor().getPendingTaskCount(),
                "the other read alone");
        assertEquals(0, copies.served());
        open.countDown();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (copies.served() < 64 && System.nanoTime() - deadline < 0) {
            copies.serveWaiting();
            Thread.sleep(5);
        }
        assertEquals(64, copies.served());
        assertEquals(0, failures.count());
    }

    /** A read that waits for the disk four times, each for a millisecond. */
    private static final class SlowDisk implements DiskWaits {
        final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger now = new AtomicInteger();

        @Override
        public void begin(SinglePartitionReadCommand read) {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            LockSupport.parkNanos(4_000_000);
        }

        @Override
        public long end() {
            now.decrementAndGet();
            return 4;
        }
    }

    /** Copies of a node that has learned that so many at a time do not wait longer. */
    private CopiedReads served(int atATime) throws InterruptedException {
        SlowDisk disk = new SlowDisk();
        CopiedReads copies = new CopiedReads(atATime, disk, failures);
        copies.ask(Set.of(table.metadata.id));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (long second = 1; disk.most.get() < atATime && System.nanoTime() - deadline < 0; second++) {
            long wanted = copies.served() + 30;
            for (int key = 0; key < 30; key++) {
                copies.take(read(key % ROWS));
            }
            while (copies.served() < wanted && System.nanoTime() - deadline < 0) {
                copies.serveWaiting();
                Thread.sleep(1);
            }
            // Not once they were: a pause of this machine could take the limit down again.
            if (disk.most.get() < atATime) {
                // Ten seconds for each: a limit that a pause of this machine made too much is tried again.
                copies.settle(second * 10_000_000_000L);
            }
        }
        assertEquals(atATime, disk.most.get());
        return copies;
    }

    @Test
    void moreAreServedAtATimeWhereThatDoesNotMakeThemWaitLonger() throws InterruptedException {
        served(3);
        assertEquals(0, failures.count());
    }

    /** Waits until the read stage has no more than so many tasks, waiting ones included. */
    private static void awaitUnderWay(int most) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (Stage.READ.executor().getPendingTaskCount()
                        + Stage.READ.executor().getActiveTaskCount()
                > most) {
            assertTrue(System.nanoTime() - deadline < 0, "reads do not end");
            Thread.sleep(1);
        }
    }

    /**
     * Has a copy wait for so many other reads as are served at a time, until one of them ends.
     *
     * @return the copies that were served then
     */
    private long servedAsAReadEnds(CopiedReads copies, int atATime) throws InterruptedException {
        awaitUnderWay(0);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(1);
        for (int other = 1; other < atATime; other++) {
            Stage.READ.execute(() -> awaitUninterruptibly(others));
        }
        Stage.READ.execute(() -> {
            awaitUninterruptibly(first);
            copies.readEnds();
        });
        long before = copies.served();
        copies.take(read(1));
        assertEquals(before, copies.served());
        first.countDown();
        // A copy that this read's end has begun is under way before the read itself is not.
        awaitUnderWay(atATime - 1);
        others.countDown();
        return copies.served() - before;
    }

    @Test
    void aReadThatEndsMakesRoomWhereMoreThanOneAtATimeIsServed() throws InterruptedException {
        assertEquals(1, servedAsAReadEnds(served(2), 2));
        CopiedReads oneByOne = asking(1);
        assertEquals(0, servedAsAReadEnds(oneByOne, 1));
        oneByOne.serveWaiting();
        awaitUnderWay(0);
        assertEquals(1, oneByOne.served(), "there was room");
    }

    @Test
    void whatIsNotAskedForAnyMoreIsNotServed() throws InterruptedException {
        CopiedReads copies = asking(1);
        CountDownLatch open = new CountDownLatch(1);
        Stage.READ.execute(() -> awaitUninterruptibly(open));
        copies.take(read(1));
        copies.ask(Set.of());
        copies.take(read(2));
        assertEquals(1, copies.arrived());
        open.countDown();
        // Nothing of before is left in front of a copy that is asked for again.
        copies.ask(Set.of(table.metadata.id));
        copies.take(read(3));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (copies.served() < 1 && System.nanoTime() - deadline < 0) {
            copies.serveWaiting();
            Thread.sleep(5);
        }
        assertEquals(1, copies.served());
        assertTrue(table.containsCachedParition(read(3).partitionKey()));
        assertFalse(table.containsCachedParition(read(1).partitionKey()));
        assertFalse(table.containsCachedParition(read(2).partitionKey()));
    }

    private static void awaitUninterruptibly(CountDownLatch open) {
        try {
            assertTrue(open.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLongReadIsNotCopied() throws IOException {
        byte[] key = new byte[5000];
        table = NodeInProcess.table("copied" + tables++, "caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}");
        DecoratedKey partition = table.getPartitioner().decorateKey(ByteBuffer.wrap(key));
        assertNull(ReadOnWire.encode(SinglePartitionReadCommand.fullPartitionRead(table.metadata(), 1, partition)));
    }
}
