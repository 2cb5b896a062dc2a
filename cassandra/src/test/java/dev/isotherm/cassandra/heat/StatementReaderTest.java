// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isotherm.cassandra.runtime.StatementScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class StatementReaderTest {
    /** A thread that has executed a statement serves reads for others, which must not be taken for the statement's. */
    @Test
    void aStatementThatHasEndedReadsNothing() {
        List<TableId> told = new ArrayList<>();
        StatementReader reader = new StatementReader(null, null, false, told::add);
        reader.succeeded(StatementScope.current());
        assertNull(reader.failed(StatementScope.current(), new IllegalStateException("failed")));
        assertEquals(Arrays.asList(null, null), told);
    }
}
