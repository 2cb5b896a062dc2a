// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ComparedClocksTest {
    /** Cassandra's clock is chosen before anything else, so each choice has a process of its own. */
    @Test
    void everyStepIsKnownWhenTheOrderIsDone() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dcassandra.clock=" + SteppedClock.class.getName(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Steps.class.getName())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), printed);
    }

    /** Steps a clock to and fro as an order does. */
    static final class Steps {
        private Steps() {}

        public static void main(String[] arguments) throws Exception {
            ControlChannel.Command order = NodeCommands.all().get("clock");
            for (int step = 0; step < 20; step++) {
                for (String millis : new String[] {"5000", "-5000", "0"}) {
                    order.run(millis);
                    if (ComparedClocks.millisOff() > 100) {
                        throw new IllegalStateException("off by " + ComparedClocks.millisOff() + " ms at " + millis);
                    }
                }
            }
            System.exit(0);
        }
    }
}
