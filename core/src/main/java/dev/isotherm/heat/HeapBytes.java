// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** The bytes that objects take on the heap of a 64-bit JVM with compressed references (heaps below 32 GiB). */
public final class HeapBytes {
    private static final int OBJECT_HEADER = 12;
    private static final int ARRAY_HEADER = 16;
    private static final int ALIGNMENT = 8;

    /** One reference. */
    public static final int REFERENCE = 4;

    private HeapBytes() {}

    /** An object whose fields take so many bytes. */
    public static long object(int fieldBytes) {
        return aligned(OBJECT_HEADER + (long) fieldBytes);
    }

    /** An array. */
    public static long array(int length, int elementBytes) {
        return aligned(ARRAY_HEADER + (long) length * elementBytes);
    }

    /** An unmodifiable list as {@link java.util.List#copyOf} makes it, without its elements. */
    public static long list(int size) {
        if (size == 0) {
            return 0;
        }
        return size <= 2 ? object(2 * REFERENCE) : object(REFERENCE + 1) + array(size, REFERENCE);
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
