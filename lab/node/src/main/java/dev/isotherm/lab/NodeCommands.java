// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.management.JMException;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionGenerator;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.hints.HintsService;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.repair.messages.RepairOption;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.Clock;
import org.apache.cassandra.utils.progress.ProgressEventType;
import org.apache.cassandra.utils.progress.ProgressListener;

/** The commands that an experiment can send to a node through its control channel. */
final class NodeCommands {
    private static BlockedHooks blocked;
    private static BlockedThreads blockedThreads;
    private static Plug plug;

    private NodeCommands() {}

    static Map<String, ControlChannel.Command> all() {
        return Map.ofEntries(
                entry("clock", NodeCommands::clock),
                entry("decommission", NodeCommands::decommission),
                entry("disk", NodeCommands::disk),
                entry("flush", NodeCommands::flush),
                entry("gossip", NodeCommands::gossip),
                entry("guardrail", Guards::set),
                entry("hints", NodeCommands::hints),
                entry("holdings", NodeCommands::holdings),
                entry("hooks", NodeCommands::hooks),
                entry("late", NodeCommands::late),
                entry("lost", NodeCommands::lost),
                entry("peers", SeenPeers::await),
                entry("plug", NodeCommands::plug),
                entry("repair", NodeCommands::repair),
                entry("repeated", NodeCommands::repeated),
                entry("reports", NodeCommands::reports),
                entry("samples", NodeCommands::samples),
                entry("snitch", NodeCommands::snitch),
                entry("stall", NodeCommands::stall),
                entry("tables", NodeCommands::tables),
                entry("threads", NodeCommands::threads),
                entry("writes", NodeCommands::writes));
    }

    /** {@code <ms>}: the node's wall clock is so much ahead of the machine's, and it knows; behind, if negative. */
    static void clock(String millis) {
        if (!(Clock.Global.clock() instanceof SteppedClock)) {
            throw new IllegalStateException(
                    "the node has another clock: -Dcassandra.clock=" + SteppedClock.class.getName());
        }
        SteppedClock.setAhead(Long.parseLong(millis));
        ComparedClocks.compare();
    }

    /** Gives the node's data to the others and leaves the ring; returns when that is done. */
    static void decommission(String ignored) throws InterruptedException {
        StorageService.instance.decommission(false);
    }

    /**
     * {@code fast}, {@code slow}, {@code slow <times>} or {@code hung}: reads of the slow disk do not wait, wait this
     * many service times, or until another order comes.
     */
    static void disk(String speed) {
        String[] parts = speed.split(" ", 2);
        if (speed.equals("hung")) {
            SlowDisk.ofNode().hang();
        } else if (speed.equals("fast")) {
            SlowDisk.ofNode().setSlowness(0);
        } else if (parts[0].equals("slow")) {
            SlowDisk.ofNode().setSlowness(parts.length == 1 ? 1 : Integer.parseInt(parts[1]));
        } else {
            throw new IllegalArgumentException(
                    "disk takes 'fast', 'slow', 'slow <times>' or 'hung', not '" + speed + "'");
        }
    }

    /** {@code <keyspace>}: writes every memtable of the keyspace to an SSTable; returns when that is done. */
    static void flush(String keyspace) {
        for (ColumnFamilyStore table : Keyspace.open(keyspace).getColumnFamilyStores()) {
            table.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
        }
    }

    /** {@code <place> <value>}: publishes the unchanged value as this node's gossip state at that place. */
    static void gossip(String argument) {
        String[] parts = argument.split(" ", 2);
        ApplicationState state = ApplicationState.values()[Integer.parseInt(parts[0])];
        String value = parts.length == 2 ? parts[1] : "";
        Gossiper.instance.addLocalApplicationState(
                state, VersionedValue.unsafeMakeVersionedValue(value, VersionGenerator.getNextVersion()));
    }

    /**
     * {@code hold} or {@code deliver}: this node keeps the hints that it owes to others, or delivers them again; {@code
     * none} or {@code keep}: it makes no more hints, or makes them again.
     */
    static void hints(String order) {
        if (order.equals("hold")) {
            HintsService.instance.pauseDispatch();
        } else if (order.equals("deliver")) {
            HintsService.instance.resumeDispatch();
        } else if (order.equals("none")) {
            StorageProxy.instance.setHintedHandoffEnabled(false);
        } else if (order.equals("keep")) {
            StorageProxy.instance.setHintedHandoffEnabled(true);
        } else {
            throw new IllegalArgumentException("hints takes hold, deliver, none or keep, not '" + order + "'");
        }
    }

    /** Writes what the process holds after a full garbage collection into files beside the counters. */
    static void holdings(String ignored) throws IOException, JMException {
        Holdings.write(Path.of(System.getProperty("isotherm.lab.directory")));
    }

    /**
     * {@code break}, {@code block <ms> <part> <parts>}, {@code mend} or {@code report}: the plugin's hooks throw at
     * each call; one after the other of this node's part of them blocks once; or nothing befalls them any more. The
     * report is a file beside the counters: for each hook its calls and the kind of thread on which it has blocked. A
     * node without the plugin has none.
     */
    static synchronized void hooks(String order) throws IOException {
        String[] parts = order.split(" ");
        switch (parts[0]) {
            case "break":
                blocked = null;
                Hooks.suffer(new BrokenHooks());
                break;
            case "block":
                blocked = new BlockedHooks(
                        TimeUnit.MILLISECONDS.toNanos(Long.parseLong(parts[1])),
                        Integer.parseInt(parts[2]),
                        Integer.parseInt(parts[3]),
                        NodeCommands::sleep);
                Hooks.suffer(blocked);
                break;
            case "mend":
                Hooks.mend();
                break;
            case "report":
                Map<String, String> threads = blocked == null ? Map.of() : blocked.threads();
                Files.write(
                        Path.of(System.getProperty("isotherm.lab.directory"), "hooks.tsv"),
                        Hooks.calls().entrySet().stream()
                                .map(hook -> hook.getKey()
                                        + '\t'
                                        + hook.getValue()
                                        + '\t'
                                        + threads.getOrDefault(hook.getKey(), ""))
                                .collect(Collectors.toList()));
                break;
            default:
                throw new IllegalArgumentException(
                        "hooks takes 'break', 'block', 'mend' or 'report', not '" + order + "'");
        }
    }

    private static Map.Entry<String, ControlChannel.Command> entry(String name, ControlChannel.Command command) {
        return Map.entry(name, command);
    }

    /** {@code <ms>} or {@code <ms> <address>}: messages of every peer, or of one, arrive so much later; 0: in time. */
    static void late(String argument) {
        String[] parts = argument.split(" ", 2);
        LateMessages.ofNode().delay(Integer.parseInt(parts[0]), parts.length == 2 ? parts[1] : "");
    }

    /** {@code <percent>} or {@code <percent> <address>}: so many of the messages of every peer, or of one, are lost. */
    static void lost(String argument) {
        String[] parts = argument.split(" ", 2);
        LostMessages.ofNode().lose(Integer.parseInt(parts[0]), parts.length == 2 ? parts[1] : "");
    }

    /** {@code out} or {@code in}: requests are served without the plugin, or with it again. */
    static synchronized void plug(String order) {
        if (plug == null) {
            plug = new Plug();
        }
        if (order.equals("out")) {
            plug.takeOut();
        } else if (order.equals("in")) {
            plug.putIn();
        } else {
            throw new IllegalArgumentException("plug takes 'out' or 'in', not '" + order + "'");
        }
    }

    /** {@code <keyspace> <table>}: runs a full repair of this node's ranges of the table; returns when that is done. */
    static void repair(String argument) throws Exception {
        String[] parts = argument.split(" ", 2);
        Map<String, String> options = Map.of(
                RepairOption.INCREMENTAL_KEY, "false",
                RepairOption.JOB_THREADS_KEY, "4",
                RepairOption.COLUMNFAMILIES_KEY, parts[1]);
        CompletableFuture<Void> done = new CompletableFuture<>();
        // The future that repair() returns completes long before the repair ends.
        ProgressListener listener = (tag, event) -> {
            if (event.getType() == ProgressEventType.ERROR) {
                done.completeExceptionally(new IllegalStateException(event.getMessage()));
            } else if (event.getType() == ProgressEventType.COMPLETE) {
                done.complete(null);
            }
        };
        StorageService.instance.repair(parts[0], options, List.of(listener));
        done.get();
    }

    /**
     * {@code <percent>} or {@code <percent> <address>}: so many of the messages of every peer, or of one, arrive twice.
     */
    static void repeated(String argument) {
        String[] parts = argument.split(" ", 2);
        RepeatedMessages.ofNode().repeat(Integer.parseInt(parts[0]), parts.length == 2 ? parts[1] : "");
    }

    /** {@code <times>}: each report of admissions that this node sends is sent so many times; 1: as the plugin does. */
    static void reports(String times) {
        RepeatedReports.ofNode().send(Integer.parseInt(times));
    }

    /** {@code begin} or {@code end}: samples what the threads run, and writes whose it was beside the counters. */
    static void samples(String order) throws IOException {
        if (order.equals("begin")) {
            RunningCode.begin();
        } else if (order.equals("end")) {
            RunningCode.end(Path.of(System.getProperty("isotherm.lab.directory")));
        } else {
            throw new IllegalArgumentException("samples takes 'begin' or 'end', not '" + order + "'");
        }
    }

    /**
     * {@code forget}: the dynamic snitch begins anew without what it has measured, as it does by itself every ten
     * minutes. One that the plugin has made for what it does not order goes on.
     */
    static void snitch(String argument) throws ClassNotFoundException {
        if (!argument.equals("forget")) {
            throw new IllegalArgumentException("snitch takes 'forget', not '" + argument + "'");
        }
        IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
        if (snitch instanceof DynamicEndpointSnitch) {
            String inner = ((DynamicEndpointSnitch) snitch).subsnitch.getClass().getName();
            StorageService.instance.updateSnitch(inner, true, null, null, null);
        }
    }

    /** {@code <ms>}: the gossip stage serves nothing for so long; returns when that has begun. */
    static void stall(String millis) throws InterruptedException {
        long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(millis));
        CountDownLatch begun = new CountDownLatch(1);
        Stage.GOSSIP.execute(() -> {
            begun.countDown();
            sleep(nanos);
        });
        begun.await();
    }

    private static void sleep(long nanos) {
        Uninterruptibles.sleepUninterruptibly(nanos, TimeUnit.NANOSECONDS);
    }

    /** {@code <keyspace> <first> <last>}: creates tables with these numbers, all but the last, in one change. */
    static void tables(String argument) {
        String[] parts = argument.split(" ");
        ManyTables.create(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    /**
     * {@code block <ms> <kind>=<times>,…}, {@code mend} or {@code report}: threads of these kinds block so many times;
     * no more do; or a file beside the counters gets how often those of each kind have.
     */
    static synchronized void threads(String order) throws IOException {
        String[] parts = order.split(" ");
        switch (parts[0]) {
            case "block":
                Map<String, Integer> times = parts.length < 3
                        ? Map.of()
                        : Arrays.stream(parts[2].split(","))
                                .map(kind -> kind.split("="))
                                .collect(Collectors.toMap(kind -> kind[0], kind -> Integer.valueOf(kind[1])));
                long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(parts[1]));
                blockedThreads = new BlockedThreads(nanos, times, NodeCommands::sleep);
                BlockedThreads.suffer(blockedThreads);
                break;
            case "mend":
                BlockedThreads.suffer(null);
                break;
            case "report":
                Files.write(
                        Path.of(System.getProperty("isotherm.lab.directory"), "threads.tsv"),
                        blockedThreads.blocked().entrySet().stream()
                                .map(kind -> kind.getKey() + '\t' + kind.getValue())
                                .collect(Collectors.toList()));
                break;
            default:
                throw new IllegalArgumentException("threads takes 'block', 'mend' or 'report', not '" + order + "'");
        }
    }

    /** {@code <ms>}: each write to a table with slow writes holds its thread for so long; 0: it does not. */
    static void writes(String millis) {
        SlowWrites.setNanos(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(millis)));
    }
}
