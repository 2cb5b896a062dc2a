// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import dev.isotherm.common.MalformedReportException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * What a cold node asks of a coordinator: to copy a part of its reads of some tables. Immutable.
 *
 * <p>Wire form: one byte version (1), the part as a whole number of 65,535ths in two bytes, then 16 bytes for each
 * table, big-endian. Without a table it takes an earlier invitation back.
 */
public final class Invitation {
    /** No invitation has more tables. */
    public static final int MAX_TABLES = 64;

    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 3;
    private static final int ID_BYTES = 16;
    private static final int PARTS = 0xffff;

    private final double fraction;
    private final Set<UUID> tables;

    /**
     * @param fraction the part of the reads to copy, above 0, at most 1
     * @param tables the tables' ids; of more than {@link #MAX_TABLES} some are left out
     */
    public Invitation(double fraction, Collection<UUID> tables) {
        this.fraction = Math.max(1.0 / PARTS, Math.min(1, fraction));
        Set<UUID> kept = new HashSet<>();
        for (UUID table : tables) {
            if (kept.size() < MAX_TABLES) {
                kept.add(table);
            }
        }
        this.tables = Set.copyOf(kept);
    }

    /** The part of the reads to copy, above 0, at most 1. */
    public double fraction() {
        return fraction;
    }

    /** The ids of the tables whose reads are to be copied; empty if none are. */
    public Set<UUID> tables() {
        return tables;
    }

    public byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + ID_BYTES * tables.size());
        bytes.put(VERSION).putShort((short) Math.max(1, Math.round(fraction * PARTS)));
        for (UUID table : tables) {
            bytes.putLong(table.getMostSignificantBits()).putLong(table.getLeastSignificantBits());
        }
        return bytes.array();
    }

    /** @throws MalformedReportException when the bytes are not exactly one invitation */
    public static Invitation decode(byte[] bytes) throws MalformedReportException {
        if (bytes == null || bytes.length < HEADER_BYTES) {
            throw new MalformedReportException("fewer than " + HEADER_BYTES + " bytes");
        }
        if (bytes[0] != VERSION) {
            throw new MalformedReportException("version " + (bytes[0] & 0xff) + "; known: " + VERSION);
        }
        int count = (bytes.length - HEADER_BYTES) / ID_BYTES;
        if (bytes.length != HEADER_BYTES + count * ID_BYTES || count > MAX_TABLES) {
            throw new MalformedReportException(
                    bytes.length + " bytes; allowed: 3 and 16 for each of at most " + MAX_TABLES + " tables");
        }
        ByteBuffer read = ByteBuffer.wrap(bytes);
        read.get();
        int parts = read.getShort() & PARTS;
        if (parts == 0) {
            throw new MalformedReportException("no part of the reads");
        }
        Set<UUID> tables = new HashSet<>();
        for (int i = 0; i < count; i++) {
            tables.add(new UUID(read.getLong(), read.getLong()));
        }
        return new Invitation((double) parts / PARTS, tables);
    }
}
