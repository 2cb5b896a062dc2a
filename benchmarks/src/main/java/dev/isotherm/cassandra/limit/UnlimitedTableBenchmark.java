// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.schema.TableLimits;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The cost of the limits for a statement on a table without a limit, beside the read of a volatile field. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        jvmArgsAppend = {
            "--add-opens=java.base/java.io=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"
        })
public class UnlimitedTableBenchmark {
    private LimitsInForce none;
    private LimitsInForce another;
    private TableMetadata table;
    private volatile Object field;

    @Setup
    public void prepare() {
        DatabaseDescriptor.clientInitialization(true, Config::new);
        table = builder("t").build();
        none = new LimitsInForce(new Failures());
        another = new LimitsInForce(new Failures());
        TableMetadata limited = builder("limited").build();
        another.listener()
                .onCreateTable(limited.unbuild()
                        .extensions(Map.of(
                                TableLimits.EXTENSION,
                                TableLimits.parse(Map.of("max_reads_per_second", "200"))
                                        .encode()))
                        .build());
        if (!none.isEmpty() || another.get(limited) == null) {
            throw new AssertionError("the limits are not in force");
        }
    }

    private static TableMetadata.Builder builder(String name) {
        return TableMetadata.builder("ks", name)
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", Int32Type.instance);
    }

    @Benchmark
    public Object noTableLimited() {
        return checked(none.get(table));
    }

    @Benchmark
    public Object anotherTableLimited() {
        return checked(another.get(table));
    }

    @Benchmark
    public Object volatileField() {
        return checked(field);
    }

    private static Object checked(Object limits) {
        if (limits != null) {
            throw new AssertionError(limits);
        }
        return limits;
    }
}
