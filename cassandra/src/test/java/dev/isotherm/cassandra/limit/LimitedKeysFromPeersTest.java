// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.MangledBytes;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.common.MalformedReportException;
import dev.isotherm.limit.KeyLimit;
import dev.isotherm.limit.KeyLimits;
import dev.isotherm.limit.KeyLimitsReport;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever peers tell of limits of partitions is taken over within its bounds, or dropped whole and counted. */
class LimitedKeysFromPeersTest {
    private final Failures failures = new Failures();
    private final Cassandra50 version = new Cassandra50();
    private final LimitedKeys keys = new LimitedKeys(
            new LimitsInForce(failures, id -> null), node(1), new OwnMessages(version, failures), version, failures);

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    private static byte[] told(SplittableRandom random) {
        KeyLimits limits = KeyLimits.EMPTY;
        long now = System.currentTimeMillis();
        for (int i = random.nextInt(4); i > 0; i--) {
            byte[] key = new byte[1 + random.nextInt(20)];
            random.nextBytes(key);
            limits = limits.limited(
                    random.nextLong(), 1, key, 1 + random.nextInt(9), KeyLimit.NONE, now + 1 + random.nextInt(9), now);
            if (random.nextBoolean()) {
                limits = limits.removed(random.nextLong(), 1, key, now);
            }
        }
        return KeyLimitsReport.encode(limits);
    }

    @Test
    void words() {
        MangledBytes.give(51, LimitedKeysFromPeersTest::told, bytes -> {
            try {
                KeyLimits told = KeyLimitsReport.decode(bytes, System.currentTimeMillis(), word -> {});
                assertTrue(told.words().size() <= KeyLimits.MOST_WORDS);
                return true;
            } catch (MalformedReportException refused) {
                return false;
            }
        });
    }

    @Test
    void digests() {
        MangledBytes.give(
                53,
                random -> ByteBuffer.allocate(Long.BYTES)
                        .putLong(random.nextLong())
                        .array(),
                bytes -> {
                    try {
                        keys.told(node(7), bytes);
                        assertEquals(Long.BYTES, bytes.length);
                        return true;
                    } catch (IllegalArgumentException refused) {
                        return false;
                    }
                });
    }

    @Test
    void howeverMuchIsToldLittleIsKnown() {
        MangledBytes.pour(52, 10_000, LimitedKeysFromPeersTest::told, bytes -> {
            keys.heard(node(1), bytes);
            assertTrue(keys.known().words().size() <= KeyLimits.MOST_WORDS);
        });
        assertTrue(keys.malformed() > 1000);
        assertEquals(0, failures.count());
    }

    @Test
    void whatOneTellsIsKnown() {
        long now = System.currentTimeMillis();
        KeyLimits limits = KeyLimits.EMPTY.limited(1, 2, new byte[] {3}, 4, 5, now + 60_000, now);
        keys.heard(node(1), KeyLimitsReport.encode(limits));
        assertEquals(limits, keys.known());
        assertEquals(1, holding());
        assertEquals(0, keys.holdingNow(), "a table that this node does not have is not counted");
        keys.heard(node(1), KeyLimitsReport.encode(limits.removed(1, 2, new byte[] {3}, now + 1)));
        assertEquals(0, holding());
        keys.heard(node(1), KeyLimitsReport.encode(limits));
        assertEquals(0, holding(), "a removal is not undone by a node that did not hear of it");
    }

    private int holding() {
        return keys.known().holding(System.currentTimeMillis(), word -> true);
    }
}
