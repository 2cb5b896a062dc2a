// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.MalformedReportException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A report of one node's heats and votes, for up to 255 tables, sent to the other nodes.
 *
 * <p>Wire form: one byte version (2), one byte count, then for each table 16 bytes of id (two big-endian longs), one
 * byte kind, one byte step, one byte for the {@linkplain RequestRate#code() rate} at which the node coordinates the
 * table's reads, 0 if it is not known. In version 1, which is also read, the last byte is missing.
 *
 * <p>Where the node votes for the placement of a table, entries of {@link ReportedVotes votes} follow those of the
 * tables; a reader that knows none takes each of them for a table that it does not have. Where tables and votes are
 * more than 255 entries together, the last tables are left out: eight at most.
 */
public final class HeatReport {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int VERSION = 2;
    private static final int VERSION_WITHOUT_RATES = 1;
    /** The most tables of a report without votes, and the most entries: a byte counts them. */
    public static final int MAX_TABLES = 255;

    private static final int HEADER_BYTES = 2;
    private static final int KIND = 16;
    private static final int STEP = 17;
    private static final int RATE = 18;
    private static final int ENTRY_BYTES = 19;

    /** What stands where an entry of votes would have a heat. */
    private static final Heat NO_HEAT = Heat.missRatio(0);

    private HeatReport() {}

    /** Receives the heats of a report, one call per table. */
    public interface Consumer {
        /**
         * @param rate the rate at which the node coordinates the table's reads, null if it is not known
         * @param vote the placement that the node votes for, null for none
         */
        void heat(long tableMsb, long tableLsb, Heat heat, RequestRate rate, Placement vote);
    }

    /** A report being written. Not thread safe. */
    public static final class Builder {
        private byte[] bytes = new byte[HEADER_BYTES + 8 * ENTRY_BYTES];
        private final ReportedVotes votes = new ReportedVotes();
        private int servedAtOnce = DiskPlaces.NOT_KNOWN;
        private int count;

        /** Adds one table whose rate of coordinated reads is not known. */
        public Builder add(long tableMsb, long tableLsb, Heat heat) {
            return add(tableMsb, tableLsb, heat, null, null);
        }

        /**
         * Adds one table.
         *
         * @param rate the rate at which the node coordinates the table's reads, null if it is not known
         * @param vote the placement that the node votes for, null for none
         * @throws IllegalArgumentException when the table is there already or the heat is null
         * @throws IllegalStateException when there are 255 tables already
         */
        public Builder add(long tableMsb, long tableLsb, Heat heat, RequestRate rate, Placement vote) {
            if (heat == null) {
                throw Allowed.refusal("heat", null, "any heat");
            }
            if (count == MAX_TABLES) {
                throw new IllegalStateException("a report holds at most " + MAX_TABLES + " tables");
            }
            int at = put(count, tableMsb, tableLsb, heat, rate);
            if (isRepeated(bytes, count, ENTRY_BYTES)) {
                throw Allowed.refusal("table", id(bytes, at), "each table once");
            }
            votes.set(count, vote);
            count++;
            return this;
        }

        private int put(int entry, long msb, long lsb, Heat heat, RequestRate rate) {
            int at = offset(entry, ENTRY_BYTES);
            if (at + ENTRY_BYTES > bytes.length) {
                bytes = Arrays.copyOf(bytes, bytes.length * 2);
            }
            LONG.set(bytes, at, msb);
            LONG.set(bytes, at + 8, lsb);
            bytes[at + KIND] = (byte) heat.kindCode();
            bytes[at + STEP] = (byte) heat.code();
            bytes[at + RATE] = (byte) (rate == null ? 0 : rate.code());
            return at;
        }

        /**
         * Sets how many reads the node's disk serves side by side, {@link DiskPlaces#NOT_KNOWN} at first.
         *
         * @throws IllegalArgumentException unless {@link DiskPlaces} may say so
         */
        public Builder servedAtOnce(int reads) {
            if (reads < 0 || reads > DiskPlaces.MOST) {
                throw Allowed.refusal("reads", reads, "0 to " + DiskPlaces.MOST);
            }
            servedAtOnce = reads;
            return this;
        }

        /** How many tables were added. */
        public int size() {
            return count;
        }

        /** The report in its wire form. */
        public byte[] encode() {
            int entries = count;
            int ofDisk = servedAtOnce == DiskPlaces.NOT_KNOWN ? 0 : 1;
            while (entries + votes.blocks(entries) + ofDisk > MAX_TABLES) {
                entries--;
            }
            int tables = entries;
            for (int block = 0; block < ReportedVotes.BLOCKS; block++) {
                long bits = votes.bits(block, tables);
                if (bits != 0) {
                    put(entries++, ReportedVotes.idOf(block), bits, NO_HEAT, null);
                }
            }
            if (ofDisk > 0) {
                put(entries++, ReportedDisk.ID, servedAtOnce, NO_HEAT, null);
            }
            bytes[0] = VERSION;
            bytes[1] = (byte) entries;
            return Arrays.copyOf(bytes, offset(entries, ENTRY_BYTES));
        }
    }

    /**
     * Reads a report. The whole report is checked first: the consumer gets all entries or none.
     *
     * @return the number of tables
     * @throws MalformedReportException when the bytes are not exactly one valid report
     */
    public static int decode(byte[] bytes, Consumer consumer) throws MalformedReportException {
        int entryBytes = entryBytes(bytes);
        int count = checked(bytes, entryBytes);
        ReportedVotes votes = votes(bytes, count, entryBytes);
        int tables = 0;
        for (int entry = 0; entry < count; entry++) {
            int at = offset(entry, entryBytes);
            long msb = (long) LONG.get(bytes, at);
            if (ReportedVotes.isId(msb) || ReportedDisk.isId(msb)) {
                continue;
            }
            RequestRate rate = entryBytes > RATE ? RequestRate.ofCode(bytes[at + RATE] & 0xff) : null;
            Placement vote = votes == null ? null : votes.of(tables);
            consumer.heat(msb, (long) LONG.get(bytes, at + 8), heatAt(bytes, at), rate, vote);
            tables++;
        }
        return tables;
    }

    /**
     * How many reads the node's disk serves side by side, as a report says; {@link DiskPlaces#NOT_KNOWN} if it does not
     * say so.
     *
     * @throws MalformedReportException when the bytes are not exactly one valid report
     */
    public static int servedAtOnce(byte[] bytes) throws MalformedReportException {
        int entryBytes = entryBytes(bytes);
        int count = checked(bytes, entryBytes);
        for (int entry = 0; entry < count; entry++) {
            int at = offset(entry, entryBytes);
            if (ReportedDisk.isId((long) LONG.get(bytes, at))) {
                return ReportedDisk.known((long) LONG.get(bytes, at + 8));
            }
        }
        return DiskPlaces.NOT_KNOWN;
    }

    /** Null where there are none. */
    private static ReportedVotes votes(byte[] bytes, int count, int entryBytes) {
        ReportedVotes votes = null;
        for (int entry = 0; entry < count; entry++) {
            int at = offset(entry, entryBytes);
            long msb = (long) LONG.get(bytes, at);
            if (ReportedVotes.isId(msb)) {
                votes = votes == null ? new ReportedVotes() : votes;
                votes.setBits(msb, (long) LONG.get(bytes, at + 8));
            }
        }
        return votes;
    }

    private static int entryBytes(byte[] bytes) throws MalformedReportException {
        if (bytes == null) {
            throw new MalformedReportException("no bytes");
        }
        if (bytes.length < HEADER_BYTES) {
            throw new MalformedReportException(bytes.length + " bytes; a report has at least " + HEADER_BYTES);
        }
        if (bytes[0] != VERSION && bytes[0] != VERSION_WITHOUT_RATES) {
            throw new MalformedReportException(
                    "version " + (bytes[0] & 0xff) + "; known: " + VERSION_WITHOUT_RATES + ", " + VERSION);
        }
        return bytes[0] == VERSION ? ENTRY_BYTES : RATE;
    }

    private static int checked(byte[] bytes, int entryBytes) throws MalformedReportException {
        int count = bytes[1] & 0xff;
        if (bytes.length != offset(count, entryBytes)) {
            throw new MalformedReportException(
                    bytes.length + " bytes; " + count + " tables take " + offset(count, entryBytes));
        }
        for (int entry = 0; entry < count; entry++) {
            int at = offset(entry, entryBytes);
            if (heatAt(bytes, at) == null) {
                throw new MalformedReportException("kind " + (bytes[at + KIND] & 0xff) + " of table " + id(bytes, at)
                        + "; known: 1 (miss ratio), 2 (read time), 3 (cost)");
            }
            long lsb = (long) LONG.get(bytes, at + 8);
            if (ReportedDisk.isId((long) LONG.get(bytes, at)) && !ReportedDisk.isNumber(lsb)) {
                throw new MalformedReportException(
                        "a disk that serves " + lsb + " reads side by side; possible: 1 or above");
            }
            if (isRepeated(bytes, entry, entryBytes)) {
                throw new MalformedReportException("table " + id(bytes, at) + " is there twice");
            }
        }
        return count;
    }

    private static Heat heatAt(byte[] bytes, int at) {
        return Heat.ofCodes(bytes[at + KIND] & 0xff, bytes[at + STEP] & 0xff);
    }

    private static boolean isRepeated(byte[] bytes, int entry, int entryBytes) {
        int at = offset(entry, entryBytes);
        long msb = (long) LONG.get(bytes, at);
        long lsb = (long) LONG.get(bytes, at + 8);
        for (int earlier = HEADER_BYTES; earlier < at; earlier += entryBytes) {
            if (lsb == (long) LONG.get(bytes, earlier + 8) && msb == (long) LONG.get(bytes, earlier)) {
                return true;
            }
        }
        return false;
    }

    private static int offset(int entry, int entryBytes) {
        return HEADER_BYTES + entry * entryBytes;
    }

    private static String id(byte[] bytes, int at) {
        return String.format("%016x%016x", (long) LONG.get(bytes, at), (long) LONG.get(bytes, at + 8));
    }
}
