// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.isotherm.cassandra.wire.MangledBytes;
import dev.isotherm.common.MalformedReportException;
import dev.isotherm.guard.StarvedMark;
import org.junit.jupiter.api.Test;

/** Any value of a peer is the one mark there is, or refused. */
class StarvedMarkFromPeersTest {
    @Test
    void marks() {
        MangledBytes.give(51, random -> StarvedMark.encode(), bytes -> {
            try {
                StarvedMark.check(bytes);
            } catch (MalformedReportException refused) {
                return false;
            }
            assertArrayEquals(StarvedMark.encode(), bytes);
            return true;
        });
    }
}
