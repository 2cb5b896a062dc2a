// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.io.compress;

import dev.isotherm.lab.SlowDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * LZ4 whose every decompressed chunk costs one read of the node's slow disk.
 *
 * <p>Options: {@code service_us}, the microseconds one read occupies the disk (default 8000), and {@code parallel},
 * the reads it serves at once (default 2).
 *
 * <p>It lives in this package because SSTables store a compressor's simple name and look for it here when they are
 * opened after a restart.
 */
public final class SlowDiskCompressor implements ICompressor {
    static final String SERVICE_US = "service_us";
    static final String PARALLEL = "parallel";

    private static final int MAX_SERVICE_US = 10_000_000;
    private static final int MAX_PARALLEL = 1024;

    private final LZ4Compressor lz4 = LZ4Compressor.create(Map.of());
    private final SlowDisk disk;
    private final long serviceNanos;

    SlowDiskCompressor(SlowDisk disk, long serviceMicros) {
        this.disk = disk;
        this.serviceNanos = TimeUnit.MICROSECONDS.toNanos(serviceMicros);
    }

    /** Called by Cassandra through reflection when a table or an SSTable names this class. */
    public static SlowDiskCompressor create(Map<String, String> options) {
        int serviceMicros = intOption(options, SERVICE_US, 8000, 0, MAX_SERVICE_US);
        int parallel = intOption(options, PARALLEL, 2, 1, MAX_PARALLEL);
        SlowDisk disk = SlowDisk.ofNode();
        disk.setParallel(parallel);
        return new SlowDiskCompressor(disk, serviceMicros);
    }

    private static int intOption(Map<String, String> options, String name, int byDefault, int least, int most) {
        String text = options.get(name);
        if (text == null) {
            return byDefault;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported with the same sentence as a number out of range.
        }
        throw new ConfigurationException(String.format(
                "SlowDiskCompressor: '%s' must be a whole number from %d to %d, not '%s'", name, least, most, text));
    }

    @Override
    public int uncompress(byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset)
            throws IOException {
        disk.read(serviceNanos);
        return lz4.uncompress(input, inputOffset, inputLength, output, outputOffset);
    }

    @Override
    public void uncompress(ByteBuffer input, ByteBuffer output) throws IOException {
        disk.read(serviceNanos);
        lz4.uncompress(input, output);
    }

    @Override
    public void compress(ByteBuffer input, ByteBuffer output) throws IOException {
        lz4.compress(input, output);
    }

    @Override
    public int initialCompressedBufferLength(int chunkLength) {
        return lz4.initialCompressedBufferLength(chunkLength);
    }

    @Override
    public BufferType preferredBufferType() {
        return lz4.preferredBufferType();
    }

    @Override
    public boolean supports(BufferType bufferType) {
        return lz4.supports(bufferType);
    }

    @Override
    public Set<String> supportedOptions() {
        return Set.of(SERVICE_US, PARALLEL);
    }
}
