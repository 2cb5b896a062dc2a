// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.isotherm.common.SplitMix64;
import dev.isotherm.common.Workers;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AdmissionLedgerTest {
    private static Map<Long, String> drained(AdmissionLedger<String, String> ledger) {
        Map<Long, String> entries = new TreeMap<>();
        int count = ledger.drain((partition, limit, operations, group, key) ->
                assertNull(entries.put(partition, limit + " " + operations + " " + group + " " + key)));
        assertEquals(entries.size(), count);
        return entries;
    }

    @Test
    void whatIsNotedIsHandedOverOnceAndAddedUp() {
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(64, 7);
        assertEquals(Map.of(), drained(ledger));
        ledger.note(1, 100, 1, "t", "k");
        ledger.note(2, 50, 1.5, "u", "l");
        ledger.note(1, 100, 2.25, "ignored", "ignored");
        assertEquals(Map.of(1L, "100 3.25 t k", 2L, "50 1.5 u l"), drained(ledger));
        assertEquals(Map.of(), drained(ledger));
        ledger.note(1, 7, 1, "v", "m");
        assertEquals(Map.of(1L, "7 1.0 v m"), drained(ledger));
        assertEquals(0, ledger.dropped());
    }

    @Test
    void itAsksToBeDrainedWhenAHundredthOfASecondsWorthIsUntold() {
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(64, 7);
        for (int operation = 1; operation <= 40; operation++) {
            assertEquals(operation == 10, ledger.note(1, 1_000, 1, "t", "k"), "operation " + operation);
        }
        assertEquals(Map.of(1L, "1000 40.0 t k"), drained(ledger));
        assertTrue(ledger.note(1, 1_000, 25, "t", "k"));
        assertFalse(ledger.note(1, 1_000, 25, "t", "k"));
        assertTrue(ledger.note(2, 100, 1, "t", "k"));
        assertTrue(ledger.note(3, 1, 1, "t", "k"));
        assertFalse(ledger.note(4, 101, 1, "t", "k"));
        assertTrue(ledger.note(4, 101, 1 / 64.0, "t", "k"));
        assertFalse(ledger.note(5, Integer.MAX_VALUE, 1_000_000, "t", "k"));
    }

    @Test
    void whatHasNoRoomIsCountedAndAsksToBeDrained() {
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(8, 7);
        for (long partition = 1; partition <= 8; partition++) {
            assertFalse(ledger.note(partition, 1_000, 1, "t", "k"));
        }
        assertTrue(ledger.note(9, 1_000, 1, "t", "k"));
        assertTrue(ledger.note(9, 1_000, 1, "t", "k"));
        assertFalse(ledger.note(3, 1_000, 1, "t", "k"));
        assertEquals(2, ledger.dropped());
        assertEquals(8, drained(ledger).size());
        assertFalse(ledger.note(9, 1_000, 1, "t", "k"));
        assertEquals(2, ledger.dropped());
    }

    @Test
    void agreesWithAMap() {
        SplittableRandom random = new SplittableRandom(1);
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(1 << 12, 7);
        for (int round = 0; round < 200; round++) {
            Map<Long, String> expected = new TreeMap<>();
            Map<Long, Double> sums = new HashMap<>();
            int partitions = 1 + random.nextInt(300);
            for (int i = 0; i < 1_000; i++) {
                long partition = random.nextInt(partitions) * 0x1234567890L;
                double operations = random.nextInt(1, 2_000) / 256.0;
                double sum = sums.merge(partition, operations, Double::sum);
                expected.put(partition, "500 " + sum + " t" + partition + " k");
                ledger.note(partition, 500, operations, "t" + partition, "k");
            }
            assertEquals(expected, drained(ledger));
        }
        assertEquals(0, ledger.dropped());
    }

    @Test
    void whatIsTooLittleToCountIsNotHandedOver() {
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(64, 7);
        ledger.note(1, 1_000, 1 / 1_000.0, "t", "k");
        assertEquals(Map.of(), drained(ledger));
    }

    /** Where an eighth of the slots are taken, a place and the seven after it are hardly ever all taken. */
    @Test
    void anEighthOfThePartitionsThatFitFindRoomWhateverTheirNumbers() {
        for (long stride : new long[] {1, 1L << 20, 1L << 48}) {
            AdmissionLedger<String, String> ledger = new AdmissionLedger<>(1 << 12, 7);
            for (long partition = 0; partition < 1 << 9; partition++) {
                ledger.note(partition * stride, 1, 1, "t", "k");
            }
            assertEquals(0, ledger.dropped());
            assertEquals(1 << 9, drained(ledger).size());
        }
    }

    @Test
    void anyPartitionIdIsOne() {
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(64, 7);
        for (long partition : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            ledger.note(partition, 1, 1, "t", "k");
        }
        assertEquals(4, drained(ledger).size());
    }

    @Test
    void hugeAmountsAreBounded() {
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(64, 7);
        for (int i = 0; i < 10; i++) {
            ledger.note(1, 1, 1e300, "t", "k");
        }
        ledger.drain((partition, limit, operations, group, key) -> assertEquals(0x1p32, operations, 1));
        ledger.note(2, 1, 1, "t", "k");
        assertEquals(Map.of(2L, "1 1.0 t k"), drained(ledger));
    }

    @Test
    void aReceiverThatThrowsLosesItsOwnEntryOnly() {
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(64, 7);
        for (long partition = 1; partition <= 10; partition++) {
            ledger.note(partition, 1, 1, "t", "k");
        }
        IllegalStateException thrown = new IllegalStateException();
        assertSame(
                thrown,
                assertThrows(
                        IllegalStateException.class,
                        () -> ledger.drain((partition, limit, operations, group, key) -> {
                            throw thrown;
                        })));
        assertEquals(9, drained(ledger).size());
    }

    @Test
    void whatWasDrainedIsNotHeldOnTo() throws Exception {
        AdmissionLedger<Object, Object> ledger = new AdmissionLedger<>(64, 7);
        WeakReference<Object> group = new WeakReference<>(new Object());
        WeakReference<Object> key = new WeakReference<>(new Object());
        ledger.note(1, 1, 1, group.get(), key.get());
        ledger.drain((partition, limit, operations, g, k) -> {});
        for (int i = 0; i < 100 && (group.get() != null || key.get() != null); i++) {
            System.gc();
        }
        assertNull(group.get());
        assertNull(key.get());
        assertEquals(0, ledger.drain((partition, limit, operations, g, k) -> {}));
    }

    @Test
    void nothingIsLostOrMixedUpBetweenManyThreads() throws Exception {
        AdmissionLedger<Long, Long> ledger = new AdmissionLedger<>(256, 7);
        int partitions = 100;
        int notes = 200_000;
        AtomicBoolean enough = new AtomicBoolean();
        long[] noted = new long[partitions];
        long[] told = new long[partitions];
        AdmissionLedger.Entry<Long, Long> teller = (partition, limit, operations, group, key) -> {
            assertEquals(partition, group);
            assertEquals(partition, key);
            assertEquals(partition + 1, limit);
            told[(int) partition] += (long) operations;
        };
        Thread drainer = new Thread(() -> {
            while (!enough.get()) {
                ledger.drain(teller);
            }
        });
        AtomicBoolean failed = new AtomicBoolean();
        drainer.setUncaughtExceptionHandler((thread, thrown) -> failed.set(true));
        drainer.start();
        long[][] by = new long[4][partitions];
        Workers.run(4, worker -> {
            SplittableRandom random = new SplittableRandom(worker);
            for (int i = 0; i < notes; i++) {
                long partition = random.nextInt(1 + random.nextInt(partitions));
                ledger.note(partition, (int) partition + 1, 1, partition, partition);
                by[worker][(int) partition]++;
            }
        });
        enough.set(true);
        drainer.join();
        ledger.drain(teller);
        assertFalse(failed.get());
        long missing = 0;
        for (int partition = 0; partition < partitions; partition++) {
            for (long[] one : by) {
                noted[partition] += one[partition];
            }
            assertTrue(told[partition] <= noted[partition]);
            missing += noted[partition] - told[partition];
        }
        assertEquals(ledger.dropped(), missing);
    }

    @Test
    void notingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(1 << 10, 7);
        AdmissionLedger.Entry<String, String> nobody = (partition, limit, operations, group, key) -> {};
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 20_000; i++) {
                ledger.note(i % 500, 1_000, 1, "t", "k");
                if (i % 1_000 == 0) {
                    ledger.drain(nobody);
                }
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes in 20,000 notes");
    }

    @Test
    void sizesAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> new AdmissionLedger<String, String>(0, 7));
        assertThrows(IllegalArgumentException.class, () -> new AdmissionLedger<String, String>((1 << 24) + 1, 7));
        for (int slots : new int[] {1, 2, 9}) {
            new AdmissionLedger<String, String>(slots, 7).note(1, 1, 1, "t", "k");
        }
    }

    /** A client may choose its keys, and know what they are mixed to. */
    @Test
    void partitionsThatShareAPlaceWithoutTheSeedDoNotWithIt() {
        AdmissionLedger<String, String> ledger = new AdmissionLedger<>(1 << 12, 7);
        int noted = 0;
        for (long partition = 0; noted < 64; partition++) {
            if ((SplitMix64.mix(partition) & 0xFFF) == 0) {
                ledger.note(partition, 1, 1, "t", "k");
                noted++;
            }
        }
        assertEquals(0, ledger.dropped());
    }
}
