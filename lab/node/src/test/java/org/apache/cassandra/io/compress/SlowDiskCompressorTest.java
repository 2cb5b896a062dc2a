// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.io.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.lab.SlowDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowDiskCompressorTest {
    @Test
    void roundTripThroughBuffersGivesTheSameBytes() throws IOException {
        SlowDiskCompressor compressor = SlowDiskCompressor.create(Map.of("service_us", "1", "parallel", "2"));
        byte[] original = bytes(16 * 1024);
        ByteBuffer compressed = compressed(compressor, original);

        ByteBuffer back = ByteBuffer.allocateDirect(original.length);
        compressor.uncompress(compressed, back);
        back.flip();

        byte[] read = new byte[original.length];
        back.get(read);
        assertArrayEquals(original, read);
    }

    @Test
    void roundTripThroughArraysGivesTheSameBytes() throws IOException {
        SlowDiskCompressor compressor = SlowDiskCompressor.create(Map.of("service_us", "1"));
        byte[] original = bytes(4096);
        ByteBuffer compressed = compressed(compressor, original);
        byte[] input = new byte[compressed.remaining()];
        compressed.get(input);

        byte[] back = new byte[original.length];
        assertEquals(original.length, compressor.uncompress(input, 0, input.length, back, 0));
        assertArrayEquals(original, back);
    }

    @Test
    void everyChunkReadByAReaderCostsOneReadOfTheDisk() throws Exception {
        SlowDisk disk = new SlowDisk(1);
        SlowDiskCompressor compressor = new SlowDiskCompressor(disk, 0);
        byte[] original = bytes(4096);
        ByteBuffer compressed = compressed(compressor, original);

        Thread reader = new Thread(
                () -> {
                    for (int i = 0; i < 3; i++) {
                        try {
                            compressor.uncompress(compressed.duplicate(), ByteBuffer.allocateDirect(original.length));
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                },
                "ReadStage-1");
        reader.start();
        reader.join();
        assertEquals(3, disk.reads());
    }

    @ParameterizedTest
    @CsvSource({"service_us,-1", "service_us,fast", "service_us,10000001", "parallel,0", "parallel,-3", "parallel,1.5"})
    void aWrongOptionIsRefusedByName(String name, String value) {
        ConfigurationException refusal =
                assertThrows(ConfigurationException.class, () -> SlowDiskCompressor.create(Map.of(name, value)));
        assertTrue(refusal.getMessage().contains("'" + name + "'"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("'" + value + "'"), refusal.getMessage());
    }

    private static ByteBuffer compressed(SlowDiskCompressor compressor, byte[] original) throws IOException {
        ByteBuffer input = ByteBuffer.allocateDirect(original.length);
        input.put(original).flip();
        ByteBuffer output = ByteBuffer.allocateDirect(compressor.initialCompressedBufferLength(original.length));
        compressor.compress(input, output);
        output.flip();
        return output;
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        Arrays.fill(bytes, 0, length / 2, (byte) 3);
        return bytes;
    }
}
