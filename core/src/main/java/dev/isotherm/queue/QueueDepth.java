// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;

/**
 * A queue depth on the wire: the number of messages waiting or being served, with their mean service time.
 *
 * <p>Wire form: one byte version (1), then the depth as three bytes and the mean service time in microseconds, 0 if it
 * is unknown, as four bytes, big-endian.
 */
public final class QueueDepth {
    /** The largest depth; a longer queue counts as this depth. */
    public static final int MAX = (1 << 20) - 1;
    /** No depth: it is unknown, or the bytes were refused. */
    public static final int UNKNOWN = -1;
    /** The length of the wire form in bytes. */
    public static final int WIRE_BYTES = 8;
    /** The longest service time: one minute; a longer time counts as this one. */
    public static final long MAX_SERVICE_NANOS = 60_000_000_000L;

    private static final int VERSION = 1;

    private QueueDepth() {}

    /** Whether the number is a depth: 0 to {@link #MAX}. */
    public static boolean isValid(int depth) {
        return depth >= 0 && depth <= MAX;
    }

    /** @throws IllegalArgumentException when the number is no depth */
    static void requireValid(int depth) {
        if (!isValid(depth)) {
            throw Allowed.refusal("depth", depth, "0 to " + MAX);
        }
    }

    /**
     * The depth nearest to what was counted. Counters read one after the other while others change
     * them can add up to less than nothing.
     */
    public static int ofCount(long counted) {
        return (int) Math.max(0, Math.min(counted, MAX));
    }

    /**
     * The wire form.
     *
     * @param serviceNanos mean time to serve one message; 0: not known
     * @throws IllegalArgumentException when the number is no depth or the time below 0
     */
    public static byte[] encode(int depth, long serviceNanos) {
        requireValid(depth);
        if (serviceNanos < 0) {
            throw Allowed.refusal("serviceNanos", serviceNanos, "0 or above");
        }
        // Rounded up: a time that is known stays one.
        int micros = (int) ((Math.min(serviceNanos, MAX_SERVICE_NANOS) + 999) / 1000);
        return new byte[] {
            VERSION,
            (byte) (depth >> 16),
            (byte) (depth >> 8),
            (byte) depth,
            (byte) (micros >> 24),
            (byte) (micros >> 16),
            (byte) (micros >> 8),
            (byte) micros
        };
    }

    /** The wire form of a depth without a service time. */
    public static byte[] encode(int depth) {
        return encode(depth, 0);
    }

    /**
     * The depth that the bytes stand for, or {@link #UNKNOWN} when they are not exactly one depth and
     * service time of a known version, each within its range: to be counted and ignored.
     */
    public static int decode(byte[] bytes) {
        if (bytes == null || bytes.length != WIRE_BYTES || bytes[0] != VERSION) {
            return UNKNOWN;
        }
        int depth = (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
        return depth <= MAX && micros(bytes) <= MAX_SERVICE_NANOS / 1000 ? depth : UNKNOWN;
    }

    /** The mean service time in the bytes, in nanoseconds; 0 when it is not known or {@link #decode} refuses them. */
    public static long decodeServiceNanos(byte[] bytes) {
        return decode(bytes) == UNKNOWN ? 0 : micros(bytes) * 1000;
    }

    private static long micros(byte[] bytes) {
        return (bytes[4] & 0xffL) << 24 | (bytes[5] & 0xff) << 16 | (bytes[6] & 0xff) << 8 | bytes[7] & 0xff;
    }
}
