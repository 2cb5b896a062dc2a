// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What peers might send instead of what they should: 100,000 values for one decoder, made of valid ones and of noise.
 * {@code make fuzz} gives each decoder other ones, and for longer.
 *
 * <p>A decoder takes or refuses each, and allocates in proportion to the bytes that are there, whatever these say.
 */
public final class MangledBytes {
    /** The number of values that each decoder gets at least. */
    public static final int CASES = 100_000;

    /** For how long it gets more of them. */
    private static final Duration MORE = Duration.ofSeconds(Long.getLong("isotherm.fuzz.seconds", 0));

    /** Equal numbers give equal values. */
    private static final long SEED = Long.getLong("isotherm.fuzz.seed", 0);

    private static final int NOISE_BYTES = 200;
    private static final int ENORMOUS_BYTES = 1 << 20;
    /** What a decoder may allocate: for an exception and its text, and for each byte of the value. */
    private static final long ALLOWED_BYTES = 32 << 10;

    private static final long ALLOWED_PER_BYTE = 64;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final SplittableRandom random;
    private final Function<SplittableRandom, byte[]> valid;
    private int taken;
    private int refused;

    private MangledBytes(long seed, Function<SplittableRandom, byte[]> valid) {
        this.random = new SplittableRandom(SEED + seed);
        this.valid = valid;
    }

    /** A decoder under test; it asserts itself that what it takes makes sense. */
    public interface Decoder {
        /** Returns whether it takes the bytes; throws nothing. */
        boolean takes(byte[] bytes);
    }

    /**
     * Gives the decoder all values; fails unless it takes some of them and refuses some.
     *
     * @param valid makes a value that a peer would send, shorter than 4 KiB
     */
    public static void give(long seed, Function<SplittableRandom, byte[]> valid, Decoder decoder) {
        MangledBytes source = new MangledBytes(seed, valid);
        long self = Thread.currentThread().getId();
        long end = System.nanoTime() + MORE.toNanos();
        int given = 0;
        for (; given < CASES || System.nanoTime() < end; given++) {
            byte[] value = source.next(given);
            long before = THREADS.getThreadAllocatedBytes(self);
            boolean took = decoder.takes(value);
            long allocated = THREADS.getThreadAllocatedBytes(self) - before;
            // The first calls load classes.
            assertTrue(
                    given < 1000 || allocated <= ALLOWED_BYTES + ALLOWED_PER_BYTE * value.length,
                    () -> allocated + " bytes were allocated for " + value.length);
            if (took) {
                source.taken++;
            } else {
                source.refused++;
            }
        }
        assertTrue(source.taken > given / 100, source.taken + " were taken");
        assertTrue(source.refused > given / 100, source.refused + " were refused");
    }

    /**
     * Gives something that decides for itself what it makes of them as many values.
     *
     * @param count how many, {@link #CASES} at most
     */
    public static void pour(long seed, int count, Function<SplittableRandom, byte[]> valid, Consumer<byte[]> receiver) {
        MangledBytes source = new MangledBytes(seed, valid);
        for (int i = 0; i < count; i++) {
            receiver.accept(source.next(i));
        }
    }

    private byte[] next(int turn) {
        // An enormous one costs as much as a thousand others.
        if (turn % 2000 == 1999) {
            return Arrays.copyOf(valid.apply(random), random.nextInt(ENORMOUS_BYTES));
        }
        switch (random.nextInt(6)) {
            case 0:
                return noise();
            case 1:
                return cutOrLengthened(valid.apply(random));
            case 2:
                return damaged(valid.apply(random));
            case 3:
                return ofAnotherVersion(valid.apply(random));
            case 4:
                return twice(valid.apply(random));
            default:
                return valid.apply(random);
        }
    }

    private byte[] noise() {
        byte[] bytes = new byte[random.nextInt(NOISE_BYTES)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] cutOrLengthened(byte[] bytes) {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length + NOISE_BYTES));
    }

    private byte[] damaged(byte[] bytes) {
        for (int change = bytes.length == 0 ? 0 : 1 + random.nextInt(4); change > 0; change--) {
            // Numbers at their ends find more than numbers in their middle.
            int[] values = {0, 1, 0x7f, 0x80, 0xff, random.nextInt(256)};
            bytes[random.nextInt(bytes.length)] = (byte) values[random.nextInt(values.length)];
        }
        return bytes;
    }

    private byte[] ofAnotherVersion(byte[] bytes) {
        if (bytes.length > 0) {
            bytes[0] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private static byte[] twice(byte[] bytes) {
        byte[] both = Arrays.copyOf(bytes, 2 * bytes.length);
        System.arraycopy(bytes, 0, both, bytes.length, bytes.length);
        return both;
    }
}
