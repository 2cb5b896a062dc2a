// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sentences about a row: a broken promise must produce one. */
class PromisesTest {
    private static Row row(
            int limit, double offered, Counter counter, double steady, double firstSecond, double ratio) {
        return new Row(
                new Scenario(limit, Arrivals.POISSON, offered, Kind.READ_QUORUM, counter), steady, firstSecond, ratio);
    }

    @ParameterizedTest
    @CsvSource({
        "10, 5, 1, 1.9, 0.2, 0", "10, 5, 1, 2.1, 0.2, 1", "10, 5, 1.11, 2, 0.2, 1", "10, 1.2, 0.89, 1, 0.7, 1",
        "10, 0.9, 0.87, 1, 0.971, 0", "10, 0.9, 0.87, 1, 0.969, 1", "100, 0.5, 0.5, 1, 0.9985, 1",
                "100, 0.5, 0.5, 1, 0.9995, 0",
        "1, 5, 0.5, 2, 0.1, 0", "1, 5, 1, 4, 0.2, 1"
    })
    void holdsEachRowToWhatIsPromised(
            int limit, double offered, double steady, double firstSecond, double ratio, int broken) {
        Promises promises = new Promises();
        promises.check(row(limit, offered, Counter.DEFAULT, steady, firstSecond, ratio));
        assertEquals(broken, promises.broken().size(), promises.broken()::toString);
        assertEquals(0, promises.impossible().size());
    }

    @Test
    void oneOperationAtEachReplicaIsToldApart() {
        Promises promises = new Promises();
        promises.check(row(1, 1_000, Counter.DEFAULT, 1, 3, 0.001));
        assertEquals(0, promises.broken().size());
        assertEquals(1, promises.impossible().size());
    }

    @Test
    void promisesNothingOfTheHalvingCounter() {
        Promises promises = new Promises();
        promises.check(row(10, 5, Counter.HALVING, 3, 9, 0.5));
        assertEquals(0, promises.broken().size());
    }

    @Test
    void writesARowAsItIsReadElsewhere() throws Exception {
        JsonNode json = new ObjectMapper()
                .readTree(new ObjectMapper().writeValueAsString(row(10, 5, Counter.DEFAULT, 1.02, 1.7, 0.204)));
        assertEquals(
                new ObjectMapper()
                        .readTree(
                                "{\"limit\":10,\"arrivals\":\"poisson\",\"offered\":5.0,\"kind\":\"read_quorum\","
                                        + "\"counter\":\"default\",\"steady\":1.02,\"first_second\":1.7,\"admitted_ratio\":0.204}"),
                json);
    }
}
