// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigText;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QueueConfigTest {
    private static QueueConfig queue(String yaml) {
        return QueueConfig.read(ConfigText.file(yaml).section("queue"));
    }

    @Test
    void anEmptyFileGivesTheDefaultsAndSoDoesTheShippedOne() throws IOException {
        for (QueueConfig config : new QueueConfig[] {
            queue(""), QueueConfig.read(ConfigText.shipped().section("queue"))
        }) {
            assertTrue(config.enabled());
            assertEquals(100, config.settings().softLimit());
            assertEquals(50, config.settings().askEvery());
            assertEquals(TimeUnit.SECONDS.toNanos(1), config.settings().silenceNanos());
            assertEquals(TimeUnit.MILLISECONDS.toNanos(100), config.settings().timeoutNanos());
        }
    }

    @Test
    void everyKeyIsRead() {
        QueueConfig config = queue("queue: {enabled: false, soft_limit: 7, ask_every: 9, silence: 2s, timeout: 30ms}");
        assertFalse(config.enabled());
        assertEquals(7, config.settings().softLimit());
        assertEquals(9, config.settings().askEvery());
        assertEquals(TimeUnit.SECONDS.toNanos(2), config.settings().silenceNanos());
        assertEquals(TimeUnit.MILLISECONDS.toNanos(30), config.settings().timeoutNanos());
    }
}
