// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.MangledBytes;
import dev.isotherm.guard.GuardSettings;
import dev.isotherm.guard.ReadGuard;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

/** Any request of a peer to be left out of reads is refused, or takes it out for a day at most. */
class OutOfReadsFromPeersTest {
    private static final InetAddressAndPort SELF = node(1);
    private static final InetAddressAndPort PEER = node(2);
    private static final long DAY_NANOS = TimeUnit.HOURS.toNanos(24);

    private final Failures failures = new Failures();
    private final ReadGuard<InetAddressAndPort> guard = new ReadGuard<>(
            GuardSettings.defaults(),
            SELF,
            () -> TimeUnit.SECONDS.toNanos(5),
            () -> TimeUnit.SECONDS.toNanos(10),
            node -> true,
            new AvoidanceLog(new RuntimeSwitch(true)),
            System.nanoTime());
    private final OutOfReads requests = new OutOfReads(guard, SELF, new Cassandra50(), node -> {}, failures);

    @Test
    void instants() {
        MangledBytes.give(
                31,
                random -> ByteBuffer.allocate(Long.BYTES)
                        .putLong(
                                random.nextBoolean()
                                        ? random.nextLong()
                                        : System.currentTimeMillis() + random.nextLong(-100_000, 100_000_000))
                        .array(),
                bytes -> {
                    try {
                        requests.told(PEER, bytes);
                    } catch (IllegalArgumentException refused) {
                        assertTrue(bytes.length != Long.BYTES);
                        return false;
                    }
                    assertEquals(Long.BYTES, bytes.length);
                    // A day later at the latest it is back.
                    guard.look(System.nanoTime() + DAY_NANOS + 1);
                    assertTrue(guard.avoided().isEmpty());
                    return true;
                });
        assertEquals(0, requests.malformed());
        assertEquals(0, failures.count());
    }
}
