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
            List<Fault> faults = faults(promise, isotherm, all);
            Double known = scenario.notKept.get(promise);
            if (faults.isEmpty() && known != null) {
                // How far from it a single run may be is not known: the bound is that of the medians.
                List<Fault> ofRuns = faultsOfRuns(promise, isotherm, all);
                ofRuns.forEach(fault -> notKept.add(scenario + ": " + fault.sentence));
                if (ofRuns.isEmpty()) {
                    keptAfterAll.add(scenario + ": " + promise);
                }
            }
            for (Fault fault : faults) {
                if (known != null && fault.times <= known) {
                    notKept.add(scenario + ": " + fault.sentence);
                } else {
                    broken.add(scenario + ": " + fault.sentence + beyondKnown(fault, known));
                }
            }
        }
    }

    private static String beyondKnown(Fault fault, Double known) {
        return known == null ? "" : say(", %.2f x what is promised, where %.2f x is known", fault.times, known);
    }

    /** Those of the runs beside the one that counts: what one of them does not keep is not kept for good. */
    private static List<Fault> faultsOfRuns(Promise promise, Outcome isotherm, List<Outcome> all) {
        return isotherm.runs().stream()
                .flatMap(run -> faults(promise, run, all).stream())
                .map(fault -> new Fault("in another run " + fault.sentence, fault.times))
                .collect(Collectors.toList());
    }

    /** Each way in which the promise is broken. */
    static List<Fault> faults(Promise promise, Outcome isotherm, List<Outcome> all) {
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
                        Double.isNaN(isotherm.rejoinedSeconds)
                                ? Double.POSITIVE_INFINITY
                                : isotherm.rejoinedSeconds / MOST_SECONDS,
                        "rejoined after %.0f s (NaN: never), promised %.0f",
                        isotherm.rejoinedSeconds,
                        MOST_SECONDS);
            case FIRST_SECONDS:
                return check(
                        isotherm.firstP99Millis / (MOST_IN_FIRST_SECONDS * isotherm.downP99Millis),
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
                        isotherm.plansPerRead / MOST_PLANS_PER_READ,
                        "%.4f plans are made for each read, promised %.2f",
                        isotherm.plansPerRead,
                        MOST_PLANS_PER_READ);
            case BETTER_PLACEMENT:
                return placement(isotherm, all);
            case NO_FLAPPING:
                return check(
                        isotherm.placementChanges <= isotherm.scenario.mostChanges
                                ? 0
                                : (double) isotherm.placementChanges / isotherm.scenario.mostChanges,
                        "a node changes its placement %d times, promised at most %d",
                        isotherm.placementChanges,
                        isotherm.scenario.mostChanges);
            case MODEL:
                return isotherm.scenario.measured.faults(isotherm);
            case STAYING:
                return isotherm.crossed == 0
                        ? List.of()
                        : List.of(new Fault(say("%d reads are sent to another datacenter", isotherm.crossed), 1));
            case EVEN_ELSEWHERE:
                return varied("reads of the nodes elsewhere", isotherm.variationElsewhere, uniform.variationElsewhere);
            default:
                return varied("reads of the nodes", isotherm.variation, uniform.variation);
        }
    }

    /** @param times how many times what is promised it is */
    private static List<Fault> check(double times, String sentence, Object... values) {
        return present(beyond(times, sentence, values));
    }

    /** Null where it is no more than what is promised. */
    static Fault beyond(double times, String sentence, Object... values) {
        return times <= 1 ? null : new Fault(say(sentence, values), times);
    }

    /** Those that are not null. */
    static List<Fault> present(Fault... faults) {
        return Stream.of(faults).filter(Objects::nonNull).collect(Collectors.toList());
    }

    private static List<Fault> varied(String what, double own, double rivals) {
        return check(
                own / (MOST_VARIATION * rivals),
                "%s vary by %.3f of their mean, with uniform reads by %.3f",
                what,
                own,
                rivals);
    }

    private static Fault timeOuts(Outcome isotherm, Outcome rival) {
        long lost = isotherm.timedOut + isotherm.failed;
        long rivals = rival.timedOut + rival.failed;
        double most = rivals + 3 * Math.sqrt(rivals + 1.0);
        return beyond(lost / most, "%d requests time out or fail, with %s reads %d", lost, rival.policy, rivals);
    }

    private static List<Fault> latency(Outcome isotherm, Outcome rival) {
        return present(
                worse("mean", isotherm.meanMillis, rival.meanMillis, rival.policy),
                worse("p99", isotherm.p99Millis, rival.p99Millis, rival.policy));
    }

    private static List<Fault> placement(Outcome auto, List<Outcome> all) {
        Outcome better = Stream.of(Policy.LOCAL, Policy.AFFINITY)
                .flatMap(placement -> Outcome.of(placement, all).stream())
                .min(Comparator.comparingDouble(outcome -> outcome.meanMillis))
                .orElseThrow();
        return present(
                beside("mean in ms", auto.meanMillis, better, better.meanMillis, MORE_OF_PLACEMENT_MILLIS),
                beside("p99 in ms", auto.p99Millis, better, better.p99Millis, MORE_OF_PLACEMENT_MILLIS),
                beside("misses/s", auto.misses, better, better.misses, MORE_MISSES));
    }

    private static Fault beside(String what, double own, Outcome better, double ofBetter, double more) {
        return beyond(
                own / Math.max(MORE * ofBetter, ofBetter + more),
                "%s: %.2f, always with placement %s %.2f",
                what,
                own,
                better.policy,
                ofBetter);
    }

    private static Fault worse(String what, double own, double rivals, Policy rival) {
        double most = Math.max(MORE * rivals, rivals + MORE_MILLIS);
        return beyond(own / most, "%s is %.1f ms, with %s reads %.1f", what, own, rival, rivals);
    }

    private static Fault load(String what, Outcome isotherm, double[][] own, double[][] rivals) {
        Fault worst = null;
        double most = MOST_LOAD;
        for (int window = 0; window + 1 < own[0].length; window++) {
            for (int node = 0; node < own.length; node++) {
                double times = Math.min(
                        times(isotherm, own, rivals, node, window), times(isotherm, own, rivals, node, window + 1));
                if (times > most) {
                    most = times;
                    worst = beyond(
                            times / MOST_LOAD,
                            "the %s of node %d has %.2f x the mean load, %.0f to %.0f s after the event",
                            what,
                            node,
                            times,
                            5.0 * window,
                            5.0 * window + 10);
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
