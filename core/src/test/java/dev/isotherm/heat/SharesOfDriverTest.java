// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The driver's policies reckon shares a second time: its tests and this one read the same file of them. */
class SharesOfDriverTest {
    private static final Map<String, DoubleFunction<Heat>> SOURCES =
            Map.of("cache", Heat::missRatio, "read_time", Heat::readTimeNanos, "disk", Heat::costNanos);

    @Test
    void sharesAreThoseThatTheDriverReckons() throws IOException {
        List<String> cases;
        try (InputStream file = getClass().getResourceAsStream("shares.txt")) {
            cases = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.toList());
        }
        assertTrue(cases.size() >= 30, () -> cases.size() + " cases");
        for (String each : cases) {
            String[] parts = each.split("; ");
            Heat[] heats = Arrays.stream(numbers(parts[2]))
                    .mapToObj(SOURCES.get(parts[0]))
                    .toArray(Heat[]::new);
            ReadPlan plan = ReadPlan.of(heats, Integer.parseInt(parts[1]), -1, settingsOf(parts));
            double[] shares = numbers(parts[3]);
            for (int i = 0; i < shares.length; i++) {
                assertEquals(shares[i], plan.shareOf(i), 1e-8, each);
            }
        }
    }

    /** The miss floor and the microseconds of a warm read; cases that leave them out have the defaults. */
    private static BalanceSettings settingsOf(String[] parts) {
        BalanceSettings defaults = BalanceSettings.defaults();
        double missFloor = parts.length > 4 ? numbers(parts[4])[0] : defaults.missFloor();
        long warmReadNanos = parts.length > 4 ? Math.round(numbers(parts[4])[1] * 1000) : defaults.warmReadNanos();
        return new BalanceSettings(
                Placement.AFFINITY,
                missFloor,
                defaults.wanderingFraction(),
                warmReadNanos,
                Math.max(warmReadNanos, defaults.coldReadNanos()));
    }

    private static double[] numbers(String words) {
        return Arrays.stream(words.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }
}
