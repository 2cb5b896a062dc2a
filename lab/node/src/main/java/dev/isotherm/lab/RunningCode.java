// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Whose code the node's threads run: samples of those that run Java code, by the JVM's flight recorder.
 *
 * <p>A sample is the plugin's if the plugin has called what runs, directly or through others, but for what the plugin
 * only passes on: a statement to the query handler, replicas to the operator's snitch, a message to its connection.
 * The plugin's own threads are not sampled.
 */
final class RunningCode {
    static final String ALL = "all";
    static final String PLUGIN = "plugin";
    /** The names of the plugin's threads begin so; what they spend the kernel tells. */
    private static final String THREADS = "Isotherm";
    /** Cassandra's reading, writing and looking up of what messages carry beside their content. */
    static final String PARAMETERS = "parameters";

    private static final Duration PERIOD = Duration.ofMillis(10);
    private static final String OF_PLUGIN = "dev.isotherm.";
    private static final String OF_LAB = "dev.isotherm.lab.";
    private static final String OF_CASSANDRA = "org.apache.cassandra.";
    /** Those of the plugin's classes that pass something on, and which calls do. */
    private static final Pattern PASSES_ON = Pattern.compile("dev\\.isotherm\\.(IsothermSnitch|IsothermQueryHandler"
            + "|cassandra\\.runtime\\.StatementExecution|cassandra\\.wire\\.Wire|.*\\$Timed(Read|Write))[#$].*");

    private static final Set<String> PASSED_ON = Set.of(
            "process",
            "processPrepared",
            "processBatch",
            "parse",
            "prepare",
            "getPrepared",
            "execute",
            "sortedByProximity",
            "compareEndpoints",
            "getRack",
            "getDatacenter",
            "getLocalRack",
            "getLocalDatacenter",
            "isWorthMergingForRangeQuery",
            "computeDeadline",
            "send");
    private static final Set<String> OF_PARAMETERS = Set.of(
            "serializeParams",
            "deserializeParams",
            "serializedParamsSize",
            "extractParams",
            "skipParams",
            "addParams",
            "withParam",
            "withParams",
            "buildParams",
            "customParams");

    private static Recording recording;

    private RunningCode() {}

    /** Begins to take samples. */
    static synchronized void begin() {
        if (recording != null) {
            recording.close();
        }
        recording = new Recording();
        recording.enable("jdk.ExecutionSample").withPeriod(PERIOD);
        recording.start();
    }

    /** Ends it, and writes a line for each owner, {@code <owner> <samples>} with a tab between, to samples.tsv. */
    static synchronized void end(Path directory) throws IOException {
        if (recording == null) {
            throw new IllegalStateException("no samples are taken: 'samples begin' comes first");
        }
        Path file = directory.resolve("samples.jfr");
        Map<String, Integer> counts;
        try (Recording ended = recording) {
            recording = null;
            ended.stop();
            ended.dump(file);
            counts = counts(file);
        } finally {
            Files.deleteIfExists(file);
        }
        Files.write(
                directory.resolve("samples.tsv"),
                counts.entrySet().stream()
                        .map(each -> each.getKey() + '\t' + each.getValue())
                        .collect(Collectors.toList()));
    }

    private static Map<String, Integer> counts(Path file) throws IOException {
        Map<String, Integer> counts = new TreeMap<>(Map.of(ALL, 0, PLUGIN, 0, PARAMETERS, 0));
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                RecordedStackTrace stack = event.getStackTrace();
                RecordedThread thread = event.getThread("sampledThread");
                boolean isOwn = thread != null
                        && thread.getJavaName() != null
                        && thread.getJavaName().startsWith(THREADS);
                if (stack != null && !isOwn) {
                    owners(frames(stack)).forEach(owner -> counts.merge(owner, 1, Integer::sum));
                }
            }
        }
        return counts;
    }

    private static List<String> frames(RecordedStackTrace stack) {
        List<String> frames = new ArrayList<>();
        for (RecordedFrame frame : stack.getFrames()) {
            if (frame.isJavaFrame()) {
                frames.add(frame.getMethod().getType().getName()
                        + '#'
                        + frame.getMethod().getName());
            }
        }
        return frames;
    }

    /**
     * Whose a sample is: of all; of the plugin, and of its class, after a slash; of parameters.
     *
     * @param frames class and method, with {@code #} between; what runs comes first
     */
    static List<String> owners(List<String> frames) {
        List<String> owners = new ArrayList<>(List.of(ALL));
        String called = "";
        for (String frame : frames) {
            boolean isPlugins = frame.startsWith(OF_PLUGIN) && !frame.startsWith(OF_LAB);
            if (isPlugins && !isPassedOn(frame, called)) {
                owners.add(PLUGIN);
                owners.add(PLUGIN + '/' + frame.substring(0, frame.indexOf('#')));
                return owners;
            }
            called = frame;
        }
        if (frames.stream()
                .anyMatch(frame -> frame.startsWith(OF_CASSANDRA + "net.") && OF_PARAMETERS.contains(method(frame)))) {
            owners.add(PARAMETERS);
        }
        return owners;
    }

    private static boolean isPassedOn(String frame, String called) {
        boolean isOwn = called.startsWith(OF_PLUGIN) && !called.startsWith(OF_LAB);
        boolean passes = PASSES_ON.matcher(frame).matches();
        // What is passed on passes through the lambdas and the loop of the one class to the other.
        return passes && (isOwn ? PASSES_ON.matcher(called).matches() : PASSED_ON.contains(method(called)));
    }

    private static String method(String frame) {
        return frame.substring(frame.indexOf('#') + 1);
    }
}
