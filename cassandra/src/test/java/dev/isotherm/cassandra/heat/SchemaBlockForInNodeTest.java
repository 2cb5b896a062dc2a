// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.innode.NodeInProcess;
import java.io.IOException;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SchemaBlockForInNodeTest {
    private final BlockFor blockFor = new SchemaBlockFor();

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    @Test
    void asManyReplicasAsTheLevelSaysAndOneMoreWhereEachReadIsSpeculative() {
        TableMetadata plain = NodeInProcess.table("plain_block", "comment = ''").metadata();
        TableMetadata always = NodeInProcess.table("always_block", "speculative_retry = 'ALWAYS'")
                .metadata();
        assertEquals(1, blockFor.inAll(plain.id, ConsistencyLevel.QUORUM));
        assertEquals(2, blockFor.inAll(always.id, ConsistencyLevel.QUORUM));
        assertEquals(BlockFor.NONE, blockFor.inEach(plain.id, ConsistencyLevel.EACH_QUORUM, "datacenter1"));
    }

    /** Plans are looked at while clients change the schema. */
    @Test
    void noneWhereTheTableOrItsKeyspaceHasBeenDropped() {
        assertEquals(BlockFor.NONE, blockFor.inAll(TableId.generate(), ConsistencyLevel.QUORUM));
        assertEquals(BlockFor.NONE, SchemaBlockFor.inAll(NodeInProcess.ofDroppedKeyspace(), ConsistencyLevel.QUORUM));
    }
}
