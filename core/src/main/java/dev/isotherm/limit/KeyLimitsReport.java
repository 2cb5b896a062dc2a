// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.MalformedReportException;
import dev.isotherm.common.SplitMix64;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The {@link KeyLimits} of one node as it tells them to another.
 *
 * <p>Wire form, big-endian: one byte version (1), one byte the number of words, and for each word the table's id (16),
 * the reads and the writes per second (4 each, -1 for no limit), the instants at which it was said, at which the limits
 * end, and until which it is remembered (8 each, milliseconds since 1970), the length of the key (2) and the key.
 */
public final class KeyLimitsReport {
    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 2;
    private static final int WORD_BYTES = 16 + 2 * 4 + 3 * 8 + 2;

    private KeyLimitsReport() {}

    public static byte[] encode(KeyLimits limits) {
        int bytes = HEADER_BYTES;
        for (KeyLimit word : limits.words()) {
            bytes += WORD_BYTES + word.key().length;
        }
        ByteBuffer out = ByteBuffer.allocate(bytes);
        out.put(VERSION).put((byte) limits.words().size());
        for (KeyLimit word : limits.words()) {
            out.putLong(word.tableMsb).putLong(word.tableLsb);
            out.putInt(word.of(Operation.READ)).putInt(word.of(Operation.WRITE));
            out.putLong(word.setMillis).putLong(word.untilMillis()).putLong(word.keptMillis);
            out.putShort((short) word.key().length).put(word.key());
        }
        return out.array();
    }

    /**
     * Reads what another node tells; {@link KeyLimits#merged} takes it. A word that only a node says whose clock is
     * more than {@link KeyLimits#MOST_AHEAD_MILLIS} ahead is left out: the others of the same report count.
     *
     * @param leftOut is told of each such word
     * @throws MalformedReportException if no node can have said so
     */
    public static KeyLimits decode(byte[] bytes, long nowMillis, Consumer<MalformedReportException> leftOut)
            throws MalformedReportException {
        if (bytes == null) {
            throw new MalformedReportException("no bytes");
        }
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte version = in.get();
            if (version != VERSION) {
                throw new MalformedReportException("version " + (version & 0xff) + "; known: " + VERSION);
            }
            int count = in.get() & 0xff;
            if (count > KeyLimits.MOST_WORDS) {
                throw new MalformedReportException(count + " words; allowed: at most " + KeyLimits.MOST_WORDS);
            }
            List<KeyLimit> words = new ArrayList<>(Math.min(count, in.remaining() / WORD_BYTES));
            for (int i = 0; i < count; i++) {
                KeyLimit word = word(in);
                if (KeyLimits.isOfTheFuture(word, nowMillis)) {
                    leftOut.accept(new MalformedReportException(
                            "said at " + word.setMillis + ", which is more than a day ahead of " + nowMillis));
                } else {
                    words.add(word);
                }
            }
            if (in.hasRemaining()) {
                throw new MalformedReportException(in.remaining() + " bytes too many");
            }
            return KeyLimits.told(words);
        } catch (BufferUnderflowException e) {
            throw new MalformedReportException(bytes.length + " bytes are too few");
        } catch (IllegalArgumentException e) {
            throw new MalformedReportException(e.getMessage());
        }
    }

    private static KeyLimit word(ByteBuffer in) {
        long tableMsb = in.getLong();
        long tableLsb = in.getLong();
        int maxReads = in.getInt();
        int maxWrites = in.getInt();
        long set = in.getLong();
        long until = in.getLong();
        long kept = in.getLong();
        int length = Short.toUnsignedInt(in.getShort());
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] key = new byte[length];
        in.get(key);
        return new KeyLimit(tableMsb, tableLsb, key, maxReads, maxWrites, set, until, kept);
    }

    /** A number that differs where what two nodes know differs, but for one case in 2^64; 0 for nothing. */
    public static long digest(KeyLimits limits) {
        long digest = 0;
        if (!limits.words().isEmpty()) {
            for (byte part : encode(limits)) {
                digest = SplitMix64.mix(digest + SplitMix64.GOLDEN_GAMMA + part);
            }
        }
        return digest;
    }
}
