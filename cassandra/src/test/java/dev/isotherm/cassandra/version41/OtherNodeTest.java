// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version41;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.utils.CassandraVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes before 4.0 end the connection over which they hear of a padding state. */
class OtherNodeTest {
    /** Each node is its release, {@code ?} if that is unknown, with a dash in front if it is down. */
    @ParameterizedTest
    @CsvSource({
        "'4.1.10', true",
        "'4.0.19 5.0.9', true",
        "'4.1.10 -4.1.6', true",
        "'4.1.10 3.11.17', false",
        "'4.1.10 3.0.30', false",
        // It may come back as it was.
        "'4.1.10 -3.11.17', false",
        // It has been heard, and its release has not.
        "'4.1.10 ?', false",
        // A seed that has been down since before this node joined.
        "'4.1.10 -?', true",
        "'-4.1.10', false",
        "'-?', false",
        "'', false",
    })
    void areAskedForTheirRelease(String nodes, boolean all) {
        List<OtherNode> others = new ArrayList<>();
        for (String node : nodes.split(" ")) {
            String release = node.replace("-", "");
            if (!release.isEmpty()) {
                others.add(new OtherNode(
                        !node.startsWith("-"), release.equals("?") ? null : new CassandraVersion(release)));
            }
        }
        assertEquals(all, OtherNode.allTakePaddingStates(others));
    }
}
