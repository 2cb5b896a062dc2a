// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.guard;

import dev.isotherm.guard.ReadGuard;
import dev.isotherm.guard.ReplicaRanks;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Guards one read of two other replicas, in turns: what the guard notes of it, beside what Cassandra's dynamic snitch
 * notes of an answer; and what the guard says about the order of its replicas.
 *
 * <p>The clock is a parameter of the guard and costs nothing here; nor does that of the dynamic snitch, which is given
 * the latency.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        jvmArgsAppend = {
            "--add-opens=java.base/java.io=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"
        })
public class GuardBenchmark {
    private static final long MILLISECOND = 1_000_000;
    private static final int REPLICAS = 3;

    private final InetAddressAndPort[] nodes = new InetAddressAndPort[REPLICAS];
    private final int[] ranks = new int[REPLICAS];
    private final int[] ties = new int[REPLICAS];
    private final int[] places = new int[REPLICAS];
    private ReadGuard<InetAddressAndPort> well;
    private ReadGuard<InetAddressAndPort> oneOut;
    private DynamicEndpointSnitch dynamic;
    private long id;
    private long nowNanos;

    @Setup
    public void prepare() throws UnknownHostException {
        DatabaseDescriptor.clientInitialization(true, GuardBenchmark::config);
        for (int n = 0; n < REPLICAS; n++) {
            nodes[n] = InetAddressAndPort.getByName("127.0.0." + (n + 1));
        }
        dynamic = new DynamicEndpointSnitch(new SimpleSnitch(), "benchmark");
        well = Unheard.guardOf(nodes[0], 0);
        oneOut = Unheard.guardOf(nodes[0], 0);
        avoid(nodes[2]);
        if (!well.avoided().isEmpty() || oneOut.avoided().rankOf(nodes[2], false) < ReplicaRanks.AVOIDED) {
            throw new AssertionError("avoided is not what it should be");
        }
    }

    private static Config config() {
        Config config = new Config();
        config.listen_address = "127.0.0.1";
        return config;
    }

    /** Leaves a read of the replica unanswered until the replica is avoided. */
    private void avoid(InetAddressAndPort replica) {
        oneOut.sent(nodes[1], 1, 0);
        oneOut.answered(nodes[1], 1, MILLISECOND);
        oneOut.sent(replica, 2, 0);
        for (long now = 0; oneOut.avoided().isEmpty(); now += ReadGuard.LOOK_NANOS) {
            oneOut.look(now);
        }
    }

    private InetAddressAndPort nextRemote() {
        return nodes[1 + (int) (++id & 1)];
    }

    /** A read that is sent and answered. */
    @Benchmark
    public long sentAndAnswered() {
        InetAddressAndPort replica = nextRemote();
        nowNanos += 1_024;
        well.sent(replica, id, nowNanos);
        well.answered(replica, id, nowNanos);
        return id;
    }

    /** The rival: what the dynamic snitch does with an answer. */
    @Benchmark
    public long dynamicSnitchReceivesTiming() {
        dynamic.receiveTiming(nextRemote(), MILLISECOND, TimeUnit.NANOSECONDS);
        return id;
    }

    /** Nothing is avoided: the question that each read asks. */
    @Benchmark
    public boolean orderWhileWell() {
        boolean empty = well.avoided().isEmpty();
        if (!empty) {
            throw new AssertionError("something is avoided");
        }
        return empty;
    }

    /** One of three replicas is avoided: their ranks and their order. */
    @Benchmark
    public int[] orderWithOneAvoided() {
        int first = (int) (++id % REPLICAS);
        for (int i = 0; i < REPLICAS; i++) {
            ranks[i] = oneOut.avoided().rankOf(nodes[(first + i) % REPLICAS], i < 2);
        }
        boolean moved = ReplicaRanks.order(ranks, ties, places);
        if (moved == (first == 0) || (first + places[REPLICAS - 1]) % REPLICAS != 2) {
            throw new AssertionError("the avoided replica is not the last");
        }
        return places;
    }
}
