// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeatTest {
    @Test
    void nothingAndEverythingMissedAreExact() {
        assertEquals(0, Heat.missRatio(0).value(), 0);
        assertEquals(1, Heat.missRatio(1).value(), 0);
        assertEquals(0, Heat.missRatio(0).code());
        assertEquals(255, Heat.missRatio(1).code());
    }

    @Property(tries = 5000, seed = "61")
    void aRatioIsOffByAtMostTwoPercent(@ForAll @DoubleRange(min = -4, max = 0) @Scale(9) double exponent) {
        double ratio = Math.pow(10, exponent);
        assertEquals(ratio, Heat.missRatio(ratio).value(), 0.019 * ratio);
    }

    @Property(tries = 5000, seed = "62")
    void aSmallRatioIsOffByLittle(@ForAll @DoubleRange(min = 0, max = 1e-4) @Scale(9) double ratio) {
        assertEquals(ratio, Heat.missRatio(ratio).value(), 0.5e-4 + 1e-12);
    }

    @Property(tries = 5000, seed = "63")
    void aTimeIsOffByAtMostThreePercent(@ForAll @DoubleRange(min = 4, max = 10) @Scale(9) double exponent) {
        double nanos = Math.pow(10, exponent);
        assertEquals(nanos, Heat.readTimeNanos(nanos).value(), 0.028 * nanos);
    }

    /** Half way between two steps the error is largest; the document rounds it up. */
    @Test
    void theErrorIsTheOneThatTheDecisionsSay() throws IOException {
        double ratio = 0;
        double time = 0;
        for (int code = 1; code < 255; code++) {
            double half = Math.sqrt(
                    Heat.ofCodes(1, code).value() * Heat.ofCodes(1, code + 1).value());
            ratio = Math.max(ratio, Math.abs(Heat.missRatio(half).value() / half - 1));
            half = Math.sqrt(
                    Heat.ofCodes(2, code).value() * Heat.ofCodes(2, code + 1).value());
            time = Math.max(time, Math.abs(Heat.readTimeNanos(half).value() / half - 1));
        }
        String said = String.format(
                Locale.ROOT,
                "off by at most %.1f %% for a ratio and %.1f %% for a time",
                Math.ceil(1000 * ratio) / 10,
                Math.ceil(1000 * time) / 10);
        assertTrue(Files.readString(Path.of("../docs/decisions.md")).contains(said), said);
    }

    @Test
    void timesOutsideTheGridAreClamped() {
        assertSame(Heat.readTimeNanos(1e4), Heat.readTimeNanos(0));
        assertSame(Heat.readTimeNanos(1e10), Heat.readTimeNanos(Double.MAX_VALUE));
        assertEquals(1e4, Heat.readTimeNanos(3).value(), 0);
        assertEquals(1e10, Heat.readTimeNanos(1e11).value(), 0);
    }

    @Test
    void everyCodeComesBackAsTheSameObject() {
        for (int kind = 1; kind <= 3; kind++) {
            for (int code = 0; code < 256; code++) {
                Heat heat = Heat.ofCodes(kind, code);
                assertEquals(kind, heat.kindCode());
                assertEquals(code, heat.code());
                assertSame(heat, sameKind(heat.kind(), heat.value()));
                assertSame(Heat.Kind.values()[kind - 1], heat.kind());
                if (code > 0) {
                    assertTrue(heat.value() > Heat.ofCodes(kind, code - 1).value());
                }
            }
        }
    }

    private static Heat sameKind(Heat.Kind kind, double value) {
        switch (kind) {
            case READ_TIME:
                return Heat.readTimeNanos(value);
            case COST:
                return Heat.costNanos(value);
            default:
                return Heat.missRatio(value);
        }
    }

    @Property(tries = 2000, seed = "64")
    void otherCodesAreNoHeat(
            @ForAll @IntRange(min = -1000, max = 1000) int kind, @ForAll @IntRange(min = -1000, max = 1000) int code) {
        if (kind < 1 || kind > 3 || code < 0 || code > 255) {
            assertNull(Heat.ofCodes(kind, code));
        }
    }

    @Test
    void distanceIsADifferenceForRatiosAndRelativeForTimes() {
        Heat half = Heat.missRatio(0.5);
        Heat tenth = Heat.missRatio(0.1);
        assertEquals(half.value() - tenth.value(), half.distanceTo(tenth), 0);
        assertEquals(half.distanceTo(tenth), tenth.distanceTo(half), 0);
        assertEquals(1, Heat.missRatio(0).distanceTo(Heat.missRatio(1)), 0);
        Heat one = Heat.readTimeNanos(1e6);
        Heat four = Heat.readTimeNanos(4e6);
        assertEquals(0.75, one.distanceTo(four), 0.02);
        assertEquals(one.distanceTo(four), four.distanceTo(one), 0);
        assertEquals(0, one.distanceTo(one), 0);
        assertEquals(1, one.distanceTo(half), 0);
    }

    @Test
    void eachKindSaysWhatItIs() {
        assertEquals("miss ratio 1.0", Heat.missRatio(1).toString());
        assertTrue(Heat.readTimeNanos(1e6).toString().startsWith("read time "));
        assertTrue(Heat.costNanos(1e6).toString().startsWith("cost "));
        assertTrue(Heat.costNanos(1e6).toString().endsWith(" ns"));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1e-9, 1.0000001})
    void aBadRatioIsRefused(double bad) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> Heat.missRatio(bad));
        assertEquals("ratio is " + bad + "; allowed: 0 to 1", refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1})
    void aBadTimeIsRefused(double bad) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> Heat.readTimeNanos(bad));
        assertEquals("nanos is " + bad + "; allowed: a finite number, 0 or above", refusal.getMessage());
    }
}
