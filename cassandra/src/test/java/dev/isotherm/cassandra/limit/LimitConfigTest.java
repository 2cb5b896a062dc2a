// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigText;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class LimitConfigTest {
    private static LimitConfig limit(String yaml) {
        return LimitConfig.read(ConfigText.file(yaml).section("limit"));
    }

    @Test
    void anEmptyFileGivesTheDefaultsAndSoDoesTheShippedOne() throws IOException {
        for (LimitConfig config : new LimitConfig[] {
            limit(""), LimitConfig.read(ConfigText.shipped().section("limit"))
        }) {
            assertTrue(config.enabled());
            assertEquals(LimiterChoice.BUCKET, config.counter());
            assertEquals(2 << 20, config.memoryBytes());
            assertEquals(FairShareMode.OFF, config.fairShare());
        }
    }

    @Test
    void yamlReadsOffAndOnAsFlags() {
        assertEquals(FairShareMode.OFF, limit("limit: {fair_share: off}").fairShare());
        assertEquals(FairShareMode.ON, limit("limit: {fair_share: on}").fairShare());
        assertEquals(FairShareMode.ON, limit("limit: {fair_share: 'on'}").fairShare());
        assertEquals(
                FairShareMode.DRY_RUN, limit("limit: {fair_share: dry_run}").fairShare());
    }

    @Test
    void everyKeyIsRead() {
        LimitConfig config = limit("limit: {enabled: false, counter: halving, memory: 512KiB}");
        assertFalse(config.enabled());
        assertEquals(LimiterChoice.HALVING, config.counter());
        assertEquals(512 << 10, config.memoryBytes());
    }
}
