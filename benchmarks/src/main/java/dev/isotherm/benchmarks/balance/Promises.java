// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares what Isotherm made of a scenario with its promises, uniform reads and Cassandra's own orders. */
final class Promises {
    private static final double MORE = 1.05;
    private static final double MORE_MILLIS = 1;
    private static final double MORE_OF_PLACEMENT_MILLIS = 0.2;
    private static final double MORE_MISSES = 1;
    private static final double MOST_SECONDS = 60;
    private static final double MOST_IN_FIRST_SECONDS = 1.5;
    private static final double MOST_LOAD = 1.2;
    /** Below this a node's station has little to do, and its load is chance. */
    private static final double LEAST_LOAD = 0.1;

    private static final double MOST_VARIATION = 1.2;
    private static final double MOST_PLANS_PER_READ = 0.01;

    private final List<String> broken = new ArrayList<>();
    private final List<String> notKept = new ArrayList<>();
    private final List<String> keptAfterAll = new ArrayList<>();

    /** @param all the outcomes of one scenario */
    void check(List<Outcome> all) {
        Outcome isotherm = Outcome.of(Policy.ISOTHERM, all).orElseThrow();
        Scenario scenario = isotherm.scenario;
        Set<Promise> promised = EnumSet.copyOf(scenario.promises);
        if (Outcome.of(Policy.STATIC, all).isPresent()) {
            promised.add(Promise.STOCK);
        }
        for (Promise promise : promised) {
            List<String> faults = faults(promise, isotherm, all);
            boolean isKnown = scenario.notKept.contains(promise);
            if (faults.isEmpty() && isKnown) {
                faults = faultsOfRuns(promise, isotherm, all);
                if (faults.isEmpty()) {
                    keptAfterAll.add(scenario + ": " + promise);
                }
            }
            List<String> to = isKnown ? notKept : broken;
            faults.forEach(fault -> to.add(scenario + ": " + fault));
        }
    }

    /** Those of the runs beside the one that counts: what one of them does not keep is not kept for good. */
    private static List<String> faultsOfRuns(Promise promise, Outcome isotherm, List<Outcome> all) {
        return isotherm.runs().stream()
                .flatMap(run -> faults(promise, run, all).stream())
                .map(fault -> "in another run " + fault)
                .collect(Collectors.toList());
    }

    /** A sentence about each way in which the promise is broken. */
    static List<String> faults(Promise promise, Outcome isotherm, List<Outcome> all) {
        Outcome uniform = Outcome.of(Policy.UNIFORM, all).orElseThrow();
        switch (promise) {
            case LATENCY:
                return latency(isotherm, uniform);
            case STOCK:
                return Stream.of(Policy.STATIC, Policy.SHUNNING)
                        .flatMap(stock -> Outcome.of(stock, all).stream())
                        .flatMap(stock -> Stream.of(latency(isotherm, stock), present(timeOuts(isotherm, stock))))
                        .flatMap(List::stream)
                        .collect(Collectors.toList());
            case TIME_OUTS:
                return present(timeOuts(isotherm, uniform));
            case REJOINING:
                return check(
                        isotherm.rejoinedSeconds <= MOST_SECONDS,
                        "rejoined after %.0f s (NaN: never), promised %.0f",
                        isotherm.rejoinedSeconds,
                        MOST_SECONDS);
            case FIRST_SECONDS:
                return check(
                        isotherm.firstP99Millis <= MOST_IN_FIRST_SECONDS * isotherm.downP99Millis,
                        "p99 of the first 5 s is %.1f ms, %.2f x that before the return, promised %.1f",
                        isotherm.firstP99Millis,
                        isotherm.firstP99Millis / isotherm.downP99Millis,
                        MOST_IN_FIRST_SECONDS);
            case LOAD:
                return present(
                        load("disk", isotherm, isotherm.awaitedDiskLoads, uniform.diskLoads),
                        load("processor", isotherm, isotherm.processorLoads, uniform.processorLoads));
            case REBUILDS:
                return check(
                        isotherm.plansPerRead <= MOST_PLANS_PER_READ,
                        "%.4f plans are made for each read, promised %.2f",
                        isotherm.plansPerRead,
                        MOST_PLANS_PER_READ);
            case BETTER_PLACEMENT:
                return placement(isotherm, all);
            case NO_FLAPPING:
                return check(
                        isotherm.placementChanges <= isotherm.scenario.mostChanges,
                        "a node changes its placement %d times, promised at most %d",
                        isotherm.placementChanges,
                        isotherm.scenario.mostChanges);
            case MODEL:
                return isotherm.scenario.measured.faults(isotherm);
            case STAYING:
                return check(isotherm.crossed == 0, "%d reads are sent to another datacenter", isotherm.crossed);
            case EVEN_ELSEWHERE:
                return varied("reads of the nodes elsewhere", isotherm.variationElsewhere, uniform.variationElsewhere);
            default:
                return varied("reads of the nodes", isotherm.variation, uniform.variation);
        }
    }

    private static List<String> check(boolean isKept, String sentence, Object... values) {
        return isKept ? List.of() : List.of(say(sentence, values));
    }

    /** Those sentences that are not null. */
    static List<String> present(String... sentences) {
        return Stream.of(sentences).filter(Objects::nonNull).collect(Collectors.toList());
    }

    private static List<String> varied(String what, double own, double rivals) {
        return check(
                own <= MOST_VARIATION * rivals,
                "%s vary by %.3f of their mean, with uniform reads by %.3f",
                what,
                own,
                rivals);
    }

    private static String timeOuts(Outcome isotherm, Outcome rival) {
        double chance = 3 * Math.sqrt(rival.timedOut + rival.failed + 1.0);
        return isotherm.timedOut + isotherm.failed <= rival.timedOut + rival.failed + chance
                ? null
                : say(
                        "%d requests time out or fail, with %s reads %d",
                        isotherm.timedOut + isotherm.failed, rival.policy, rival.timedOut + rival.failed);
    }

    private static List<String> latency(Outcome isotherm, Outcome rival) {
        return present(
                worse("mean", isotherm.meanMillis, rival.meanMillis, rival.policy),
                worse("p99", isotherm.p99Millis, rival.p99Millis, rival.policy));
    }

    private static List<String> placement(Outcome auto, List<Outcome> all) {
        Outcome better = Stream.of(Policy.LOCAL, Policy.AFFINITY)
                .flatMap(placement -> Outcome.of(placement, all).stream())
                .min(Comparator.comparingDouble(outcome -> outcome.meanMillis))
                .orElseThrow();
        return present(
                beside("mean in ms", auto.meanMillis, better, better.meanMillis, MORE_OF_PLACEMENT_MILLIS),
                beside("p99 in ms", auto.p99Millis, better, better.p99Millis, MORE_OF_PLACEMENT_MILLIS),
                beside("misses/s", auto.misses, better, better.misses, MORE_MISSES));
    }

    private static String beside(String what, double own, Outcome better, double ofBetter, double more) {
        return own <= Math.max(MORE * ofBetter, ofBetter + more)
                ? null
                : say("%s: %.2f, always with placement %s %.2f", what, own, better.policy, ofBetter);
    }

    private static String worse(String what, double own, double rivals, Policy rival) {
        double most = Math.max(MORE * rivals, rivals + MORE_MILLIS);
        return own <= most ? null : say("%s is %.1f ms, with %s reads %.1f", what, own, rival, rivals);
    }

    private static String load(String what, Outcome isotherm, double[][] own, double[][] rivals) {
        String worst = null;
        double most = MOST_LOAD;
        for (int window = 0; window + 1 < own[0].length; window++) {
            for (int node = 0; node < own.length; node++) {
                double times = Math.min(
                        times(isotherm, own, rivals, node, window), times(isotherm, own, rivals, node, window + 1));
                if (times > most) {
                    most = times;
                    worst = say(
                            "the %s of node %d has %.2f x the mean load, %.0f to %.0f s after the event",
                            what, node, times, 5.0 * window, 5.0 * window + 10);
                }
            }
        }
        return worst;
    }

    /** The node's load in means of its datacenter, or in its own with uniform reads if that is more. */
    private static double times(Outcome isotherm, double[][] own, double[][] rivals, int node, int window) {
        double mean = isotherm.mean(own, node, window);
        return mean < LEAST_LOAD ? 0 : own[node][window] / Math.max(mean, rivals[node][window]);
    }

    private static String say(String sentence, Object... values) {
        return String.format(Locale.ROOT, sentence, values);
    }

    /** A sentence for each way in which a promise is broken that is not known to be. */
    List<String> broken() {
        return List.copyOf(broken);
    }

    /** A sentence for each way in which a promise is not kept that is known not to be. */
    List<String> notKept() {
        return List.copyOf(notKept);
    }

    /** Promises said not to be kept that every run keeps. */
    List<String> keptAfterAll() {
        return List.copyOf(keptAfterAll);
    }

    /** How much there is of each, and what is kept after all. */
    String closing() {
        return say("Broken: %d. Not kept: %d.", broken.size(), notKept.size())
                + (keptAfterAll.isEmpty() ? "" : " Kept, though said not to be: " + String.join("; ", keptAfterAll));
    }

    /** The status with which the program ends. */
    int status() {
        return broken.isEmpty() ? 0 : 1;
    }
}
