// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** What one policy made of a scenario. */
final class Outcome {
    /** Loads and the first moments are means over so many seconds. */
    private static final int SMOOTHING = 5;
    /** The part of the other nodes' mean at which a node has rejoined. */
    private static final double ENOUGH = 0.9;
    /** The lab takes 5 s for that, too; elsewhere it is so long that chance does not look like a relapse. */
    private static final int SMOOTHING_OF_RETURN = 20;
    /** A return seen only in the last seconds could be chance. */
    private static final int LEAST_STAY = 10;

    final Scenario scenario;
    final Policy policy;
    final long timedOut;
    final long failed;
    final double meanMillis;
    final double p99Millis;
    final double firstP50Millis;
    final double firstP99Millis;
    final double downP50Millis;
    final double downP99Millis;
    /**
     * Seconds from the event, or the return of the last of the cold nodes, until all of them have rejoined; NaN for
     * never, and where none can.
     */
    final double rejoinedSeconds;
    /** Misses per second of a warm node, on average, in the first 5 s after the event. */
    final double firstMissesOfWarm;
    /** Misses per second of the first cold node in the first 5 s after the event. */
    final double firstMissesOfCold;
    /** How much the reads of the nodes vary around their mean before the event, as a part of it. */
    final double variation;
    /** Misses per second of a node, on average, from the event on. */
    final double misses;
    /** The changes of placement on the node that changed it most often. */
    final int placementChanges;
    /** The second of the last change of placement on any node; -1 if there was none. */
    final int lastPlacementChange;
    /**
     * As the variation, of the nodes of datacenters to which nothing happens, from the event on; NaN without such. That
     * is said of scenarios whose event befalls the cold nodes.
     */
    final double variationElsewhere;
    /** The reads, and copies of reads, sent to another datacenter. */
    final long crossed;
    /** The plans that coordinators make for each read, in the steady state before the event. */
    final double plansPerRead;
    /** For each node the loads of its disk and of its processors, in windows of five seconds from the event on. */
    final double[][] diskLoads;
    /** As the loads of the disk, by reads for which clients wait: without copies. */
    final double[][] awaitedDiskLoads;

    final double[][] processorLoads;
    private final Map<String, double[]> series = new LinkedHashMap<>();
    private List<Outcome> runs = List.of();

    /** The outcome under a policy, if it was simulated. */
    static Optional<Outcome> of(Policy policy, List<Outcome> outcomes) {
        return outcomes.stream().filter(outcome -> outcome.policy == policy).findFirst();
    }

    /**
     * Of several runs the median of each number. Beside the lab it is the one run whose rejoining is the median: what
     * was measured is of one run, too. Never is the longest: NaN comes last.
     */
    static Outcome ofRuns(List<Outcome> runs) {
        boolean isOfOne = runs.get(0).scenario.measured != null || runs.size() == 1;
        Outcome outcome = isOfOne ? middle(runs, run -> run.rejoinedSeconds) : new Outcome(runs);
        outcome.runs = List.copyOf(runs);
        return outcome;
    }

    private static Outcome middle(List<Outcome> runs, ToDoubleFunction<Outcome> number) {
        List<Outcome> sorted = new ArrayList<>(runs);
        sorted.sort(Comparator.comparingDouble(number));
        return sorted.get(sorted.size() / 2);
    }

    private static double median(List<Outcome> runs, ToDoubleFunction<Outcome> number) {
        return number.applyAsDouble(middle(runs, number));
    }

    private Outcome(List<Outcome> runs) {
        // Loads are compared node by node, and so with the same ring and keys: those of the first run of each policy.
        Outcome first = runs.get(0);
        scenario = first.scenario;
        policy = first.policy;
        timedOut = (long) median(runs, run -> run.timedOut);
        failed = (long) median(runs, run -> run.failed);
        meanMillis = median(runs, run -> run.meanMillis);
        p99Millis = median(runs, run -> run.p99Millis);
        firstP50Millis = median(runs, run -> run.firstP50Millis);
        firstP99Millis = median(runs, run -> run.firstP99Millis);
        downP50Millis = median(runs, run -> run.downP50Millis);
        downP99Millis = median(runs, run -> run.downP99Millis);
        rejoinedSeconds = median(runs, run -> run.rejoinedSeconds);
        firstMissesOfWarm = median(runs, run -> run.firstMissesOfWarm);
        firstMissesOfCold = median(runs, run -> run.firstMissesOfCold);
        variation = median(runs, run -> run.variation);
        variationElsewhere = median(runs, run -> run.variationElsewhere);
        misses = median(runs, run -> run.misses);
        plansPerRead = median(runs, run -> run.plansPerRead);
        // What must not happen must not in any run.
        placementChanges =
                runs.stream().mapToInt(run -> run.placementChanges).max().orElseThrow();
        lastPlacementChange =
                runs.stream().mapToInt(run -> run.lastPlacementChange).max().orElseThrow();
        crossed = runs.stream().mapToLong(run -> run.crossed).max().orElseThrow();
        diskLoads = first.diskLoads;
        awaitedDiskLoads = first.awaitedDiskLoads;
        processorLoads = first.processorLoads;
        series.putAll(first.series);
    }

    /** All runs, this one too, where it is the one that counts. */
    List<Outcome> runs() {
        return runs;
    }

    Outcome(Simulation simulation) {
        scenario = simulation.scenario;
        policy = simulation.policy;
        Observations observed = simulation.observed;
        int event = scenario.eventSecond;
        int end = scenario.seconds;
        timedOut = observed.timedOut(event, end);
        failed = observed.failed(event, end);
        meanMillis = observed.meanMillis(event + SMOOTHING, end);
        p99Millis = observed.percentileMillis(0.99, event + SMOOTHING, end);
        firstP50Millis = observed.percentileMillis(0.5, event, event + SMOOTHING);
        firstP99Millis = observed.percentileMillis(0.99, event, event + SMOOTHING);
        int down = scenario.downSecond < event ? scenario.downSecond + 1 : event - SMOOTHING;
        downP50Millis = observed.percentileMillis(0.5, down, event);
        downP99Millis = observed.percentileMillis(0.99, down, event);
        rejoinedSeconds = scenario.canRejoin() ? rejoined(observed) : Double.NaN;
        variation = variation(
                observed,
                IntStream.range(0, scenario.nodes).toArray(),
                scenario.settledSecond,
                Math.min(scenario.downSecond, event));
        int[] elsewhere = IntStream.range(0, scenario.datacenters)
                .filter(datacenter -> scenario.nodesOf(datacenter).noneMatch(scenario::isCold))
                .flatMap(scenario::nodesOf)
                .toArray();
        variationElsewhere = variation(observed, elsewhere, event, end);
        crossed = observed.crossed(0, end);
        plansPerRead = observed.plansPerRead(scenario.settledSecond, Math.min(scenario.downSecond, event));
        misses = IntStream.range(0, scenario.nodes)
                .mapToDouble(node -> observed.missesPerSecond(node, event + SMOOTHING, end))
                .average()
                .orElse(0);
        placementChanges = IntStream.range(0, scenario.nodes)
                .map(observed::placementChanges)
                .max()
                .orElse(0);
        lastPlacementChange = observed.lastPlacementChange();
        diskLoads = loads((node, from, to) -> simulation.node(node).disk().load(from, to));
        awaitedDiskLoads = loads((node, from, to) -> {
            Station disk = simulation.node(node).disk();
            return disk.load(from, to) - disk.loadOfCopies(from, to);
        });
        processorLoads =
                loads((node, from, to) -> simulation.node(node).processors().load(from, to));
        record(simulation);
        firstMissesOfWarm = mean(series.get("warm_misses"), event, event + SMOOTHING);
        firstMissesOfCold = mean(series.get("cold_misses"), event, event + SMOOTHING);
    }

    private static double mean(double[] values, int from, int to) {
        return Arrays.stream(values, from, to).average().orElse(0);
    }

    private double rejoined(Observations observed) {
        int smoothing = scenario.measured == null ? SMOOTHING_OF_RETURN : SMOOTHING;
        int returned = scenario.returnSecond();
        double last = 0;
        for (int cold : scenario.cold) {
            int since = -1;
            for (int from = returned; from + smoothing <= scenario.seconds; from++) {
                boolean enough = observed.readsPerSecond(cold, from, from + smoothing)
                        >= ENOUGH
                                * warmReads(
                                        observed,
                                        scenario.nodesOf(scenario.datacenterOf(cold)),
                                        from,
                                        from + smoothing);
                since = !enough ? -1 : since < 0 ? from : since;
            }
            if (since < 0 || since + LEAST_STAY > scenario.seconds) {
                return Double.NaN;
            }
            // A node that never lost its part has 0.
            double middle = since == returned ? 0 : since - returned + smoothing / 2.0;
            last = Math.max(last, middle);
        }
        return last;
    }

    /** The mean reads per second of those of the nodes that are warm throughout; 0 without such. */
    private double warmReads(Observations observed, IntStream nodes, int from, int to) {
        return nodes.filter(scenario::isWarm)
                .mapToDouble(node -> observed.readsPerSecond(node, from, to))
                .average()
                .orElse(0);
    }

    private static double variation(Observations observed, int[] nodes, int begin, int end) {
        double squares = 0;
        int count = 0;
        for (int from = begin; from + SMOOTHING <= end; from += SMOOTHING) {
            double mean = 0;
            for (int node : nodes) {
                mean += observed.reads(node, from, from + SMOOTHING) / (double) nodes.length;
            }
            for (int node : nodes) {
                double off = observed.reads(node, from, from + SMOOTHING) / mean - 1;
                squares += off * off;
                count++;
            }
        }
        return Math.sqrt(squares / count);
    }

    /** The load of something of a node in the seconds from..to. */
    private interface Load {
        double of(int node, int from, int to);
    }

    private double[][] loads(Load load) {
        int windows = (scenario.seconds - scenario.eventSecond) / SMOOTHING;
        double[][] loads = new double[scenario.nodes][windows];
        for (int node = 0; node < scenario.nodes; node++) {
            for (int window = 0; window < windows; window++) {
                int from = scenario.eventSecond + window * SMOOTHING;
                loads[node][window] = load.of(node, from, from + SMOOTHING);
            }
        }
        return loads;
    }

    private void record(Simulation simulation) {
        Observations observed = simulation.observed;
        int seconds = scenario.seconds;
        int shown = scenario.cold.length > 0 ? scenario.cold[0] : scenario.nodes - 1;
        double[] p50 = new double[seconds];
        double[] p99 = new double[seconds];
        double[] coldReads = new double[seconds];
        double[] coldMisses = new double[seconds];
        double[] coldCopies = new double[seconds];
        double[] warm = new double[seconds];
        double[] warmMisses = new double[seconds];
        for (int second = 0; second < seconds; second++) {
            p50[second] = rounded(observed.percentileMillis(0.5, second, second + 1));
            p99[second] = rounded(observed.percentileMillis(0.99, second, second + 1));
            coldReads[second] = observed.readsPerSecond(shown, second, second + 1);
            coldCopies[second] = observed.copiesPerSecond(shown, second, second + 1);
            coldMisses[second] = observed.missesPerSecond(shown, second, second + 1);
            warm[second] = rounded(warmReads(observed, IntStream.range(0, scenario.nodes), second, second + 1));
            int from = second;
            warmMisses[second] = rounded(IntStream.range(0, scenario.nodes)
                    .filter(scenario::isWarm)
                    .mapToDouble(node -> observed.missesPerSecond(node, from, from + 1))
                    .average()
                    .orElse(0));
        }
        series.put("p50_ms", p50);
        series.put("p99_ms", p99);
        series.put("cold_reads", coldReads);
        series.put("cold_misses", coldMisses);
        series.put("cold_copies", coldCopies);
        series.put("warm_reads", warm);
        series.put("warm_misses", warmMisses);
    }

    /** The highest load of a node over a whole window, as a part of the capacity. */
    double highest(double[][] loads) {
        return Arrays.stream(loads).flatMapToDouble(Arrays::stream).max().orElse(0);
    }

    /** The mean of the node's datacenter. */
    double mean(double[][] loads, int node, int window) {
        return scenario.nodesOf(scenario.datacenterOf(node))
                .mapToDouble(each -> loads[each][window])
                .average()
                .orElse(0);
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    /** In the summary's form. */
    Map<String, Object> summary() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("policy", policy.toString());
        values.put("mean_ms", rounded(meanMillis));
        values.put("p99_ms", rounded(p99Millis));
        values.put("first_p50_ms", rounded(firstP50Millis));
        values.put("first_p99_ms", rounded(firstP99Millis));
        values.put("down_p50_ms", rounded(downP50Millis));
        values.put("down_p99_ms", rounded(downP99Millis));
        values.put("timed_out", timedOut);
        values.put("failed", failed);
        values.put("rejoined_s", Double.isNaN(rejoinedSeconds) ? null : rejoinedSeconds);
        values.put("first_misses_of_warm", Double.isNaN(firstMissesOfWarm) ? null : rounded(firstMissesOfWarm));
        values.put("first_misses_of_cold", Double.isNaN(firstMissesOfCold) ? null : rounded(firstMissesOfCold));
        values.put("variation", rounded(variation));
        values.put("misses", rounded(misses));
        values.put("placement_changes", placementChanges);
        values.put("last_placement_change_s", lastPlacementChange);
        values.put("variation_elsewhere", Double.isNaN(variationElsewhere) ? null : rounded(variationElsewhere));
        values.put("sent_to_other_datacenters", crossed);
        values.put("plans_per_read", rounded(plansPerRead));
        values.put("highest_disk_load", rounded(highest(diskLoads)));
        values.put("highest_processor_load", rounded(highest(processorLoads)));
        values.put("series", series);
        return values;
    }
}
