// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version41;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.innode.NodeInProcess;
import java.io.IOException;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.HeartBeatState;
import org.apache.cassandra.gms.VersionedValue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes hear what is gossiped: one that is started with join_ring=false does, though it counts as dead. */
class OtherNodeInNodeTest {
    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"NORMAL,0|false", "BOOT,0|false", "hibernate,true|false", "LEFT,0,1|true", "removed,a,1|true"})
    void areThoseThatHaveNotLeft(String status, boolean hasLeft) {
        EndpointState state = new EndpointState(HeartBeatState.empty());
        state.addApplicationState(
                ApplicationState.STATUS_WITH_PORT, VersionedValue.unsafeMakeVersionedValue(status, 1));
        assertEquals(hasLeft, OtherNode.hasLeft(state));
    }
}
