// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version50;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.cassandra.gms.ApplicationState;
import org.junit.jupiter.api.Test;

/** Gossip sends the place of a state: nodes of all lines of Cassandra must have padding there. */
class PaddingStatesTest {
    @Test
    void areAtThePlacesThatArePaddingInEachLine() {
        Cassandra50 version = new Cassandra50();
        List<ApplicationState> states = List.of(
                version.limitedKeysState(),
                version.wireState(),
                version.outOfReadsState(),
                version.queueState(),
                version.heatState());
        // 4.0 has X6 to X10 there, 4.1 X5 to X9, 5.0 and 6.0 X4 to X8.
        assertEquals(
                List.of(24, 25, 26, 27, 28),
                states.stream().map(ApplicationState::ordinal).collect(Collectors.toList()));
        states.forEach(state -> assertTrue(state.name().matches("X\\d+"), state::name));
    }
}
