// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRateTest {
    @Property(tries = 2000, seed = "21")
    void theNearestStepIsAtMostFourAndAHalfPercentOff(@ForAll @DoubleRange(min = 0.1, max = 3e8) double requests) {
        assertEquals(requests, RequestRate.perSecond(requests).perSecond(), 0.045 * requests);
    }

    @Test
    void everyCodeComesBack() {
        for (int code = 1; code <= 255; code++) {
            RequestRate rate = RequestRate.ofCode(code);
            assertEquals(code, rate.code());
            assertSame(rate, RequestRate.perSecond(rate.perSecond()));
        }
    }

    @Test
    void otherNumbersAreNoCodes() {
        assertNull(RequestRate.ofCode(0));
        assertNull(RequestRate.ofCode(-1));
        assertNull(RequestRate.ofCode(256));
    }

    @Test
    void theEndsOfTheGrid() {
        assertSame(RequestRate.NONE, RequestRate.perSecond(0));
        assertSame(RequestRate.NONE, RequestRate.perSecond(0.0999));
        assertEquals(0, RequestRate.NONE.perSecond());
        assertSame(RequestRate.ofCode(255), RequestRate.perSecond(Double.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -0.001})
    void aBadRateIsRefusedByName(double bad) {
        assertEquals(
                "requests is " + bad + "; allowed: a finite number, 0 or above",
                assertThrows(IllegalArgumentException.class, () -> RequestRate.perSecond(bad))
                        .getMessage());
    }
}
