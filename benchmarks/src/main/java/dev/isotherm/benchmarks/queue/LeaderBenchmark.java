// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.queue;

import dev.isotherm.queue.DecisionKind;
import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.LeaderChoice;
import dev.isotherm.queue.LeaderDecision;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.QueueSettings;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Picks the leader of one counter update: at random from a list of replicas, as Cassandra does, and by queues. The
 * depth of this node's queue is read from a shared counter.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LeaderBenchmark {
    private static final int SERVED_AT_ONCE = 32;

    @Param("3")
    public int replicas;

    private final LeaderChoice choice = new LeaderChoice(QueueSettings.defaults());
    private final AtomicLong shortDepth = new AtomicLong(3);
    private final AtomicLong longDepth = new AtomicLong(300);
    private List<String> list;
    private DepthEstimator[] peers;
    private long nowNanos;

    @Setup
    public void prepare() {
        String[] names = new String[replicas];
        for (int i = 0; i < replicas; i++) {
            names[i] = "replica " + i;
        }
        list = List.of(names);
        peers = new DepthEstimator[replicas - 1];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = new DepthEstimator(QueueSettings.defaults());
        }
        nowNanos = System.nanoTime();
    }

    /** Cassandra's random pick: the rival. */
    @Benchmark
    public String leaderAtRandom() {
        return list.get(ThreadLocalRandom.current().nextInt(0, list.size()));
    }

    /** This node's queue is short: the common case. */
    @Benchmark
    public int leaderHere() {
        int depth = QueueDepth.ofCount(shortDepth.get());
        int decision = choice.staysHere(depth, depth < SERVED_AT_ONCE)
                ? LeaderDecision.HERE
                : choice.decide(
                        peers, peers.length, depth, ThreadLocalRandom.current().nextInt(), nowNanos);
        if (decision != LeaderDecision.HERE) {
            throw new AssertionError("leader " + decision);
        }
        return decision;
    }

    /**
     * This node's queue is long, and fresh estimates of the others' queues decide; an answer to each message keeps them
     * fresh.
     */
    @Benchmark
    public int leaderByEstimates() {
        int depth = QueueDepth.ofCount(longDepth.get());
        int decision = choice.decide(
                peers, peers.length, depth, ThreadLocalRandom.current().nextInt(), nowNanos);
        for (DepthEstimator peer : peers) {
            peer.reported(10, nowNanos, nowNanos);
        }
        if (decision != LeaderDecision.UNDECIDED && LeaderDecision.kind(decision) != DecisionKind.REDIRECTED) {
            throw new AssertionError("decision " + decision);
        }
        return LeaderDecision.target(decision);
    }
}
