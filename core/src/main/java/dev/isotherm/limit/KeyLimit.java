// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.Allowed;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;

/**
 * What an operator last said of one partition: its own limits until an instant, or that it has none any more. All
 * instants are milliseconds since 1970. Immutable.
 */
public final class KeyLimit {
    /** No limit of this operation. */
    public static final int NONE = -1;

    /** The longest key, in bytes. */
    public static final int MOST_KEY_BYTES = 256;

    /** The longest time for which one statement limits a partition. */
    public static final long MOST_MILLIS = TimeUnit.DAYS.toMillis(7);

    /** The newest word first; of two at the same time the removal, then the lower limits, then the earlier end. */
    private static final Comparator<KeyLimit> WORDS = Comparator.comparingLong((KeyLimit word) -> -word.setMillis)
            .thenComparing(KeyLimit::isRemoval, Comparator.reverseOrder())
            .thenComparingInt(word -> word.maxReads)
            .thenComparingInt(word -> word.maxWrites)
            .thenComparingLong(word -> word.untilMillis);

    final long tableMsb;
    final long tableLsb;
    private final byte[] key;
    private final int maxReads;
    private final int maxWrites;
    final long setMillis;
    private final long untilMillis;
    /** The instant until which this word is remembered: as long as an older one about the partition may limit it. */
    final long keptMillis;

    /**
     * @param key the partition's serialised key, 1 to {@link #MOST_KEY_BYTES} bytes, not to be changed
     * @param maxReads reads a second, 1 or above, or {@link #NONE}; with {@code maxWrites} {@link #NONE} too, a removal
     * @param untilMillis when the limits end: at most {@link #MOST_MILLIS} after {@code setMillis}
     * @param keptMillis until when this is remembered: not before {@code untilMillis}, with the same bound
     * @throws IllegalArgumentException naming what is out of its range
     */
    KeyLimit(
            long tableMsb,
            long tableLsb,
            byte[] key,
            int maxReads,
            int maxWrites,
            long setMillis,
            long untilMillis,
            long keptMillis) {
        if (key.length < 1 || key.length > MOST_KEY_BYTES) {
            throw Allowed.refusal("the key's length", key.length, "1 to " + MOST_KEY_BYTES);
        }
        limit("maxReads", maxReads);
        limit("maxWrites", maxWrites);
        if (setMillis < 0) {
            throw Allowed.refusal("setMillis", setMillis, "0 or above");
        }
        if (keptMillis - MOST_MILLIS > setMillis || untilMillis > keptMillis) {
            throw Allowed.refusal("keptMillis", keptMillis, "untilMillis to setMillis + " + MOST_MILLIS);
        }
        this.tableMsb = tableMsb;
        this.tableLsb = tableLsb;
        this.key = key;
        this.maxReads = maxReads;
        this.maxWrites = maxWrites;
        this.setMillis = setMillis;
        this.untilMillis = untilMillis;
        this.keptMillis = keptMillis;
    }

    private static void limit(String name, int limit) {
        if (limit < 1 && limit != NONE) {
            throw Allowed.refusal(name, limit, "1 or above");
        }
    }

    /** The more significant half of the table's id. */
    public long tableMsb() {
        return tableMsb;
    }

    /** The less significant half of the table's id. */
    public long tableLsb() {
        return tableLsb;
    }

    /** The partition's serialised key; not to be changed. */
    public byte[] key() {
        return key;
    }

    /** The most operations a second; {@link #NONE} if this word limits none. */
    public int of(Operation operation) {
        return operation == Operation.READ ? maxReads : maxWrites;
    }

    public long setMillis() {
        return setMillis;
    }

    public long untilMillis() {
        return untilMillis;
    }

    /** Whether the partition has no limits of its own any more. */
    public boolean isRemoval() {
        return maxReads == NONE && maxWrites == NONE;
    }

    /** Whether the limits hold at this instant. */
    public boolean holds(long nowMillis) {
        return !isRemoval() && nowMillis < untilMillis;
    }

    boolean isAbout(long msb, long lsb, byte[] otherKey) {
        return tableMsb == msb && tableLsb == lsb && Arrays.equals(key, otherKey);
    }

    /** An order of partitions, 0 for the same one. */
    int comparePartition(KeyLimit other) {
        int order = Long.compare(tableMsb, other.tableMsb);
        order = order != 0 ? order : Long.compare(tableLsb, other.tableLsb);
        return order != 0 ? order : Arrays.compare(key, other.key);
    }

    /** The newer of two words about one partition, remembered for as long as either would be. */
    KeyLimit or(KeyLimit other) {
        KeyLimit newer = WORDS.compare(this, other) <= 0 ? this : other;
        long kept = Math.max(keptMillis, other.keptMillis);
        return newer.keptMillis == kept
                ? newer
                : new KeyLimit(
                        newer.tableMsb,
                        newer.tableLsb,
                        newer.key,
                        newer.maxReads,
                        newer.maxWrites,
                        newer.setMillis,
                        newer.untilMillis,
                        kept);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof KeyLimit)) {
            return false;
        }
        KeyLimit that = (KeyLimit) other;
        return comparePartition(that) == 0 && WORDS.compare(this, that) == 0 && keptMillis == that.keptMillis;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key) * 31 + Long.hashCode(setMillis);
    }

    @Override
    public String toString() {
        return String.format(
                "%016x%016x/%s: %d reads, %d writes, set %d, until %d, kept %d",
                tableMsb, tableLsb, Arrays.toString(key), maxReads, maxWrites, setMillis, untilMillis, keptMillis);
    }
}
