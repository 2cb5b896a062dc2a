// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementExecution;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;

/** A table of the node in this process, and fair shares of the threads that read from it. */
final class ReadingNode {
    private final TableMetadata table;
    final Failures failures = new Failures();
    final FairShareSwitch mode = new FairShareSwitch(FairShareMode.ON, new RuntimeSwitch(true));
    final FairPool reads =
            new FairPool(Stage.READ, "reads", mode, new LimitsInForce(failures), 1, WritingNode.PAUSED_BEFORE);
    final ReadTimes times = new ReadTimes(reads, failures);
    final ShareRefusals refusals = new ShareRefusals();
    final FairAdmission fair = new FairAdmission(
            reads,
            times,
            new ReplicaLookup(FBUtilities.getBroadcastAddressAndPort(), DatabaseDescriptor.getEndpointSnitch()),
            refusals,
            new UnmarkedReads(node -> true, System::nanoTime),
            Message::createdAtNanos,
            new Cassandra50(),
            new UnreadableValues(),
            failures);
    private final StatementExecution execution = new StatementExecution(
            List.of(new StatementInterceptor() {
                @Override
                public void before(StatementScope scope) {
                    fair.admit(scope);
                }

                @Override
                public void succeeded(StatementScope scope) {
                    fair.succeeded();
                }

                @Override
                public RuntimeException failed(StatementScope scope, Throwable failure) {
                    return fair.failed(scope, failure);
                }
            }),
            failures,
            () -> false);

    /** @param table with the columns k, an int and its key, and v */
    ReadingNode(TableMetadata table) {
        this.table = table;
    }

    long idOf(int key) {
        return TouchedPartition.idOfReads(table, table.partitioner.getToken(Int32Type.instance.decompose(key)));
    }

    CQLStatement select(int key) {
        return WritingNode.parsed("SELECT v FROM " + table + " WHERE k = " + key);
    }

    void read(int key) {
        WritingNode.execute(execution, select(key));
    }

    /** Begins to measure. */
    void on() {
        WireHandlers handlers = new WireHandlers();
        times.install(handlers);
        Wire wire = new Wire(new Cassandra50(), failures);
        wire.install(handlers);
        wire.open();
        reads.look(System.nanoTime());
        assertTrue(reads.isOn());
    }

    Message<ReadCommand> message(int key) {
        return Message.out(
                Verb.READ_REQ,
                SinglePartitionReadCommand.fullPartitionRead(
                        table, FBUtilities.nowInSeconds(), Int32Type.instance.decompose(key)));
    }

    /**
     * Decides without serving, as the reads would wait behind the hogs.
     *
     * @param isCut whether shares decide about the partition at present
     */
    FairShareRejection refusedAmong(int decisions, int key, BooleanSupplier isCut) {
        for (int i = 0; i < decisions; i++) {
            StatementScope scope = WritingNode.begun(select(key));
            try {
                boolean before = isCut.getAsBoolean();
                fair.admit(scope);
                boolean has = fair.cutReads().has(message(key));
                // Without a look it only ceases to be so, where this machine stood still: either is right then.
                if (before == isCut.getAsBoolean()) {
                    assertEquals(before, has);
                }
                assertFalse(fair.cutReads().has(message(key + 1)), "another partition than the statement's");
            } catch (FairShareRejection refused) {
                return refused;
            } finally {
                scope.end(failures);
            }
        }
        return null;
    }
}
