// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

/**
 * A number of messages waiting or being served, as it travels between nodes.
 *
 * <p>Wire form: one byte version (1), then the depth as three bytes, big-endian.
 */
public final class QueueDepth {
    /** The largest depth there is; a longer queue counts as this long. */
    public static final int MAX = (1 << 20) - 1;
    /** No depth: not known, or refused. */
    public static final int UNKNOWN = -1;
    /** The bytes a depth takes. */
    public static final int WIRE_BYTES = 4;

    private static final int VERSION = 1;

    private QueueDepth() {}

    /** Whether the number is a depth: 0 to {@link #MAX}. */
    public static boolean isValid(int depth) {
        return depth >= 0 && depth <= MAX;
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
     * @throws IllegalArgumentException when the number is no depth
     */
    public static byte[] encode(int depth) {
        Allowed.depth(depth);
        return new byte[] {VERSION, (byte) (depth >> 16), (byte) (depth >> 8), (byte) depth};
    }

    /**
     * The depth that the bytes stand for, or {@link #UNKNOWN} when they are not exactly one depth of a
     * known version within its range: to be counted and ignored.
     */
    public static int decode(byte[] bytes) {
        if (bytes == null || bytes.length != WIRE_BYTES || bytes[0] != VERSION) return UNKNOWN;
        int depth = (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
        return depth <= MAX ? depth : UNKNOWN;
    }
}
