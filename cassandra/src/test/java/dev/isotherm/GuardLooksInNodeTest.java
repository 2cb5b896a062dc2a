// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigText;
import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.NodeSettings;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.views.NodeHeat;
import dev.isotherm.cassandra.wire.GossipState;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The guard looks, whatever other tasks of the plugin wait for: its own wait it takes for a pause of the process. */
class GuardLooksInNodeTest {
    /** Three seconds of looks on an idle machine. */
    private static final int LOOKS = 300;

    /** A state that neither the plugin nor another test says of this node. */
    private static final ApplicationState UNUSED = ApplicationState.X10;

    private final Failures failures = new Failures();
    private final AtomicLong looks = new AtomicLong();
    private final AtomicLong publications = new AtomicLong();
    /** What the features' threads do here they would go on with until the process ends, beside other tests. */
    private final ReadWriteLock running = new ReentrantReadWriteLock();

    private boolean over;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    /** Returns once no task of this test runs, or after half a minute; none begins afterwards. */
    @AfterEach
    void end() throws InterruptedException {
        assertTrue(running.writeLock().tryLock(30, TimeUnit.SECONDS), "a task does not end");
        over = true;
        running.writeLock().unlock();
    }

    /** The task until the test is over. */
    private Runnable untilOver(Runnable task) {
        return () -> {
            running.readLock().lock();
            try {
                if (!over) {
                    task.run();
                }
            } finally {
                running.readLock().unlock();
            }
        };
    }

    /** Gossip's lock, which Cassandra holds while it convicts a node. */
    private static ReentrantLock gossipLock() throws ReflectiveOperationException {
        Field lock = Gossiper.class.getDeclaredField("taskLock");
        lock.setAccessible(true);
        return (ReentrantLock) lock.get(null);
    }

    private static List<Feature> features() {
        return new Isotherm(
                        IsothermConfig.read(ConfigText.file("")),
                        new Cassandra50(),
                        new SimpleSnitch(),
                        new SimpleSnitch(),
                        FBUtilities.getBroadcastAddressAndPort())
                .features();
    }

    private static Feature answering(Function<String, Object> answers) {
        return (Feature) Proxy.newProxyInstance(
                Feature.class.getClassLoader(),
                new Class<?>[] {Feature.class},
                (proxy, method, arguments) -> answers.apply(method.getName()));
    }

    private Feature withTask(String name, PeriodicTask task) {
        Map<String, Object> answers = Map.of(
                "name", name,
                "enabled", new RuntimeSwitch(true),
                "tasks", List.of(task),
                "interceptor", Optional.empty(),
                "settings", List.of(),
                "views", List.of(),
                "counts", Map.of());
        return answering(answers::get);
    }

    /** The guard as the plugin makes it, with its looks counted on the thread that looks. */
    private Feature guard() {
        Feature guard = features().stream()
                .filter(feature -> feature.name().equals("guard"))
                .findFirst()
                .orElseThrow();
        List<PeriodicTask> looking = guard.tasks().stream()
                .filter(task -> task.thread().equals("Isotherm-guard"))
                .collect(Collectors.toList());
        assertEquals(1, looking.size());
        PeriodicTask look = looking.get(0);
        return withTask(
                "guard", PeriodicTask.onItsOwnThread(look.thread(), look.periodMillis(), "no look", untilOver(() -> {
                    look.run(failures);
                    looks.incrementAndGet();
                })));
    }

    private Feature publishing() {
        return withTask("publishing", new PeriodicTask(1, "nothing is published", untilOver(() -> {
            Gossiper.instance.addLocalApplicationState(
                    UNUSED, StorageService.instance.valueFactory.releaseVersion("5.0"));
            publications.incrementAndGet();
        })));
    }

    private static void await(BooleanSupplier condition, String what) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, what);
            Thread.sleep(1);
        }
    }

    @Test
    void aHeldLockOfGossipDelaysNoLook() throws ReflectiveOperationException, InterruptedException {
        List<Feature> features = List.of(publishing(), guard());
        NodeSettings settings = new NodeSettings(List.of(), kept -> {}, () -> 0);
        new FeatureStart(features, new Cassandra50(), failures, settings, node -> NodeHeat.UNKNOWN).once();
        await(() -> publications.get() > 0 && looks.get() > 0, "both tasks run");
        ReentrantLock lock = gossipLock();
        lock.lock();
        try {
            await(lock::hasQueuedThreads, "the plugin waits for gossip");
            long publicationsBefore = publications.get();
            long looksBefore = looks.get();
            await(() -> looks.get() >= looksBefore + LOOKS, "the guard looks meanwhile");
            assertEquals(publicationsBefore, publications.get());
        } finally {
            lock.unlock();
        }
        assertEquals(0, failures.count());
    }

    /** What cuts and limits requests lets go of them, and switches are followed, while gossip stands still. */
    @Test
    void aHeldLockOfGossipDelaysNoOtherTaskAndNobodyWhoPublishes()
            throws ReflectiveOperationException, InterruptedException {
        Cassandra50 version = new Cassandra50();
        GossipState state = new GossipState(version, UNUSED, "mark:", null, failures);
        AtomicLong others = new AtomicLong();
        Feature telling = withTask("telling", new PeriodicTask(10, "nothing is told", untilOver(() -> {
            state.publish(new byte[] {(byte) others.get()});
            others.incrementAndGet();
        })));
        Feature following = (Feature) Proxy.newProxyInstance(
                Feature.class.getClassLoader(), new Class<?>[] {Feature.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("start")) {
                        ((WireHandlers) arguments[0]).follow(state);
                    }
                    return method.invoke(telling, arguments);
                });
        NodeSettings settings = new NodeSettings(List.of(), kept -> {}, () -> 0);
        new FeatureStart(List.of(following), version, failures, settings, node -> NodeHeat.UNKNOWN).once();
        ReentrantLock lock = gossipLock();
        lock.lock();
        try {
            await(lock::hasQueuedThreads, "the plugin waits for gossip");
            long before = others.get();
            await(() -> others.get() >= before + LOOKS, "other tasks run meanwhile");
        } finally {
            lock.unlock();
        }
        assertEquals(0, failures.count());
    }

    /** Its thread has no other task, nor has that of its log. */
    @Test
    void itsThreadDoesNothingElse() {
        Map<String, Long> tasks = features().stream()
                .flatMap(feature -> feature.tasks().stream())
                .collect(Collectors.groupingBy(PeriodicTask::thread, Collectors.counting()));
        assertEquals(Set.of("Isotherm", "Isotherm-guard", "Isotherm-log"), tasks.keySet());
        assertEquals(1, tasks.get("Isotherm-guard"));
        assertEquals(1, tasks.get("Isotherm-log"));
    }
}
