// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueSettingsTest {
    @Test
    void defaultsAreTheSeeds() {
        assertEquals(
                "softLimit 100, askEvery 50, silenceNanos 1000000000, timeoutNanos 100000000",
                QueueSettings.defaults().toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 1 | 1 | 1 | softLimit is 0; allowed: 1 to 1048575",
                "1048576 | 1 | 1 | 1 | softLimit is 1048576; allowed: 1 to 1048575",
                "1 | 0 | 1 | 1 | askEvery is 0; allowed: 1 to 1048575",
                "1 | 1048576 | 1 | 1 | askEvery is 1048576; allowed: 1 to 1048575",
                "1 | 1 | 0 | 1 | silenceNanos is 0; allowed: 1 or above",
                "1 | 1 | 1 | -5 | timeoutNanos is -5; allowed: 1 or above"
            })
    void valuesOutOfRangeAreNamed(int softLimit, int askEvery, long silence, long timeout, String message) {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> new QueueSettings(softLimit, askEvery, silence, timeout));
        assertEquals(message, refused.getMessage());
    }

    @Test
    void valuesAtTheirBoundsAreTaken() {
        QueueSettings least = new QueueSettings(1, 1, 1, 1);
        assertEquals(1, least.timeoutNanos());
        QueueSettings most = new QueueSettings(QueueDepth.MAX, QueueDepth.MAX, Long.MAX_VALUE, Long.MAX_VALUE);
        assertEquals(QueueDepth.MAX, most.softLimit());
        assertEquals(QueueDepth.MAX, most.askEvery());
    }

    @Test
    void nothingWorksWithoutSettings() {
        assertThrows(IllegalArgumentException.class, () -> new LeaderChoice(null));
        assertThrows(IllegalArgumentException.class, () -> new DepthEstimator(null));
    }

    @Test
    void aDecisionIsATargetAndAKind() {
        for (DecisionKind kind : DecisionKind.values()) {
            for (int target = LeaderDecision.HERE; target < LeaderChoice.MAX_CANDIDATES; target++) {
                int decision = LeaderDecision.of(kind, target);
                assertEquals(target, LeaderDecision.target(decision));
                assertEquals(kind, LeaderDecision.kind(decision));
            }
        }
        assertEquals(LeaderDecision.ASK, LeaderDecision.target(LeaderDecision.UNDECIDED));
    }
}
