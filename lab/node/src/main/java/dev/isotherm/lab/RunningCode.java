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
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Whose code the node's threads run: samples of those that run Java code, by the JVM's flight recorder.
 *
 * <p>A sample is the plugin's if the plugin has called what runs, directly or through others, but for what the plugin
 * only passes on: a statement to the query handler, replicas to the operator's snitch, a message to its connection.
 */
final class RunningCode {
    static final String ALL = "all";
    static final String PLUGIN = "plugin";
    /** Cassandra's reading, writing and looking up of what messages carry beside their content. */
    static final String PARAMETERS = "parameters";

    private static final Duration PERIOD = Duration.ofMillis(10);
    private static final String OF_PLUGIN = "dev.isotherm.";
    private static final String OF_LAB = "dev.isotherm.lab.";
    private static final String OF_CASSANDRA = "org.apache.cassandra.";
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
                RecordedStackTrace stack = events.readEvent().getStackTrace();
                if (stack != null) {
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
            if (frame.startsWith(OF_PLUGIN) && !frame.startsWith(OF_LAB)) {
                if (!called.startsWith(OF_CASSANDRA) || !PASSED_ON.contains(method(called))) {
                    owners.add(PLUGIN);
                    owners.add(PLUGIN + '/' + frame.substring(0, frame.indexOf('#')));
                }
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

    private static String method(String frame) {
        return frame.substring(frame.indexOf('#') + 1);
    }
}
