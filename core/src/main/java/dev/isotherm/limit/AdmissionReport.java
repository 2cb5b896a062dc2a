// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.MalformedReportException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A report of the operations that a node admitted, sent to another node, for up to 65,536 partitions.
 *
 * <p>Wire form: one byte version (1), then for each partition 16 bytes, big-endian: 8 of its {@link
 * PartitionId}, 4 of the limit a second (1 or above), 4 of the operations in 1/256 (unsigned, 1 or
 * above).
 */
public final class AdmissionReport {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 1;
    private static final int ENTRY_BYTES = 16;
    private static final double PARTS = 256;
    private static final long MOST_PARTS = 0xFFFFFFFFL;

    /** How many partitions one report holds at most. */
    public static final int MAX_ENTRIES = 65_536;
    /**
     * Of how many a report is sent: 24 KiB. Of a message above 64 KiB Cassandra reads what it carries from the first 32
     * KiB, and ends the connection if that reaches further.
     */
    public static final int MOST_SENT = 1_500;

    private AdmissionReport() {}

    /** Receives the entries of a report, one call each; a partition may occur twice. */
    public interface Consumer {
        void admitted(long partition, int limit, double operations);
    }

    /** A report being written. Not thread safe. */
    public static final class Builder {
        private byte[] bytes = new byte[HEADER_BYTES + 8 * ENTRY_BYTES];
        private int count;

        /**
         * Adds the operations admitted on one partition, rounded to 1/256 and to at most 16,777,216 operations.
         *
         * @throws IllegalArgumentException when the limit is below 1, or the operations are not above 0
         * @throws IllegalStateException when there are {@link #MAX_ENTRIES} entries already
         */
        public Builder add(long partition, int limit, double operations) {
            if (limit < 1) {
                throw Allowed.refusal("limit", limit, "1 or above");
            }
            if (!(operations > 0)) {
                throw Allowed.refusal("operations", operations, "above 0");
            }
            if (count == MAX_ENTRIES) {
                throw new IllegalStateException("a report holds at most " + MAX_ENTRIES + " entries");
            }
            int at = offset(count);
            if (at + ENTRY_BYTES > bytes.length) {
                bytes = Arrays.copyOf(bytes, bytes.length * 2);
            }
            LONG.set(bytes, at, partition);
            INT.set(bytes, at + 8, limit);
            INT.set(bytes, at + 12, (int) Math.min(MOST_PARTS, Math.max(1, Math.round(operations * PARTS))));
            count++;
            return this;
        }

        /** How many entries were added. */
        public int size() {
            return count;
        }

        /** The report in its wire form. */
        public byte[] encode() {
            bytes[0] = VERSION;
            return Arrays.copyOf(bytes, offset(count));
        }
    }

    /**
     * Reads a report. The whole report is checked first: the consumer gets all entries or none.
     *
     * @return the number of entries
     * @throws MalformedReportException when the bytes are not exactly one valid report
     */
    public static int decode(byte[] bytes, Consumer consumer) throws MalformedReportException {
        int count = checked(bytes);
        for (int entry = 0; entry < count; entry++) {
            int at = offset(entry);
            consumer.admitted((long) LONG.get(bytes, at), limitAt(bytes, at), partsAt(bytes, at) / PARTS);
        }
        return count;
    }

    private static int checked(byte[] bytes) throws MalformedReportException {
        if (bytes == null) {
            throw new MalformedReportException("no bytes");
        }
        if (bytes.length < HEADER_BYTES) {
            throw new MalformedReportException("0 bytes; a report has at least 1");
        }
        if (bytes[0] != VERSION) {
            throw new MalformedReportException("version " + (bytes[0] & 0xff) + "; known: " + VERSION);
        }
        int count = (bytes.length - HEADER_BYTES) / ENTRY_BYTES;
        if (bytes.length != offset(count)) {
            throw new MalformedReportException(bytes.length + " bytes; " + count + " entries take " + offset(count));
        }
        if (count > MAX_ENTRIES) {
            throw new MalformedReportException(count + " entries; allowed: at most " + MAX_ENTRIES);
        }
        for (int entry = 0; entry < count; entry++) {
            int at = offset(entry);
            if (limitAt(bytes, at) < 1) {
                throw new MalformedReportException(
                        "limit " + limitAt(bytes, at) + " of entry " + entry + "; allowed: 1 or above");
            }
            if (partsAt(bytes, at) == 0) {
                throw new MalformedReportException("no operations in entry " + entry);
            }
        }
        return count;
    }

    private static int limitAt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at + 8);
    }

    private static long partsAt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at + 12) & MOST_PARTS;
    }

    private static int offset(int entry) {
        return HEADER_BYTES + entry * ENTRY_BYTES;
    }
}
