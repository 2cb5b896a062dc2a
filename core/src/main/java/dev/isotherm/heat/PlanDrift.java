// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/** Whether heats and rates have moved so far from those that a plan was made of that it should be made anew. */
final class PlanDrift {
    /*
     * With costs c_i, shares are P_i = min(1/k, lambda/c_i) with a sum of one. If each c_i has changed by a factor from
     * a to b, then lambda has changed by one from a to b, too: below a lambda no share would be as large as before,
     * above b lambda none as small. So no share has changed by more than the factor b/a. The floor of costs keeps that,
     * as it moves costs towards each other.
     *
     * Least shares change with 1/c_i even where all costs change by one factor: hence a <= 1 <= b. What r replicas with
     * least shares lose together, the others gain, and each of these has at least as much as each of those: so with
     * least shares a share has changed by at most 1 + N (b/a - 1).
     *
     * The most of a replica that is spared goes with the cube of what it misses more, so that its share may have
     * changed by a fifth. It is small then, and so is what the others gain or lose by it.
     *
     * Under affinity the cost of a replica that was left out may count as more, as far as the disks bear that. Its
     * share is then between that by cost and an equal one, whatever the plan that is kept was made of.
     *
     * Equal shares are kept for as long as the costs count as equal, and only then, so that coordinators agree whether
     * they do. What nodes tell does not tremble once they are warm: chance seldom leads from one to the other and back.
     *
     * Rates: each coordinator's part of the requests counts under local alone. As equal costs do, rates that have
     * become even matter at once: a plan of a burst of one coordinator's clients, which ended a step further, would
     * otherwise spread the reads of equal nodes unevenly for good. Under affinity a plan knows the requests
     * only as the sum by which disks bear least shares, and equal costs have equal shares whatever that is.
     *
     * What a node tells may then follow what it measures closely, which a node that warms up needs, while the plans of
     * a steady cluster stay as they are.
     */
    /** Costs: one step of the grid of what nodes tell is less, two are more. */
    private static final double MOST_OF_COSTS = 1.06;
    /** Rates: one step of their grid, an eighth of an octave, is less. */
    private static final double MOST_OF_RATES = 1.1;

    private PlanDrift() {}

    /**
     * Whether the plan of some replicas, of earlier heats and rates, should be made anew.
     *
     * @param heats those of the plan, null where one was not known
     * @param rates those of the plan, null where one was not known
     * @param now what is known now; null where nothing is
     * @param from the index of the first replica
     * @param to the index after that of the last one, above from
     * @param placement the plan's
     */
    static boolean matters(
            Heat[] heats,
            RequestRate[] rates,
            Belief[] now,
            int from,
            int to,
            BalanceSettings settings,
            Placement placement) {
        if (ofHeats(heats, now, from, to, settings)) {
            return true;
        }
        if (placement == Placement.LOCAL) {
            return ofRates(rates, now, from, to)
                    || areEqual(heats, from, to, settings) && becameEven(rates, now, from, to);
        }
        return !areEqual(heats, from, to, settings) && ofRequests(rates, now, from, to);
    }

    private static boolean ofHeats(Heat[] heats, Belief[] now, int from, int to, BalanceSettings settings) {
        Heat.Kind kind = heats[from] == null ? null : heats[from].kind();
        Span before = new Span();
        Span after = new Span();
        for (int i = from; i < to; i++) {
            if (heats[i] == null || now[i] == null || heats[i].kind() != kind || now[i].heat.kind() != kind) {
                return true;
            }
            before.add(ReplicaCosts.of(heats[i], settings));
            after.add(ReplicaCosts.of(now[i].heat, settings));
        }
        boolean wasEqual = ReplicaCosts.areEqual(kind, before.least, before.most);
        boolean isEqual = ReplicaCosts.areEqual(kind, after.least, after.most);
        if (wasEqual || isEqual) {
            return wasEqual != isEqual;
        }
        double floorBefore = ReplicaCosts.floor(kind, before.most, settings);
        double floorAfter = ReplicaCosts.floor(kind, after.most, settings);
        Span factors = new Span();
        factors.add(1);
        for (int i = from; i < to; i++) {
            double costBefore = Math.max(floorBefore, ReplicaCosts.of(heats[i], settings));
            factors.add(Math.max(floorAfter, ReplicaCosts.of(now[i].heat, settings)) / costBefore);
        }
        return factors.most > MOST_OF_COSTS * factors.least;
    }

    private static boolean areEqual(Heat[] heats, int from, int to, BalanceSettings settings) {
        Span costs = new Span();
        for (int i = from; i < to; i++) {
            costs.add(ReplicaCosts.of(heats[i], settings));
        }
        return ReplicaCosts.areEqual(heats[from].kind(), costs.least, costs.most);
    }

    /** Whether the sum of all rates has, where one that is not known counts as the mean of the others. */
    private static boolean ofRequests(RequestRate[] rates, Belief[] now, int from, int to) {
        double before = 0;
        double after = 0;
        int knownBefore = 0;
        int knownAfter = 0;
        for (int i = from; i < to; i++) {
            if (rates[i] != null) {
                before += rates[i].perSecond();
                knownBefore++;
            }
            if (now[i].rate != null) {
                after += now[i].rate.perSecond();
                knownAfter++;
            }
        }
        double beforeOfAll = before * Math.max(1, knownAfter);
        double afterOfAll = after * Math.max(1, knownBefore);
        return Math.max(beforeOfAll, afterOfAll) > MOST_OF_RATES * Math.min(beforeOfAll, afterOfAll);
    }

    private static boolean ofRates(RequestRate[] rates, Belief[] now, int from, int to) {
        Span factors = new Span();
        factors.add(1);
        for (int i = from; i < to; i++) {
            RequestRate rate = now[i] == null ? null : now[i].rate;
            if (rate != rates[i]) {
                if (rate == null || rates[i] == null || rate == RequestRate.NONE || rates[i] == RequestRate.NONE) {
                    return true;
                }
                factors.add(rate.perSecond() / rates[i].perSecond());
            }
        }
        return factors.most > MOST_OF_RATES * factors.least;
    }

    private static boolean becameEven(RequestRate[] rates, Belief[] now, int from, int to) {
        RequestRate[] before = Arrays.copyOfRange(rates, from, to);
        RequestRate[] after = new RequestRate[to - from];
        Arrays.setAll(after, i -> now[from + i].rate);
        return !CoordinatorShares.areEven(CoordinatorShares.of(before))
                && CoordinatorShares.areEven(CoordinatorShares.of(after));
    }

    /** The least and the most of some numbers above 0. */
    private static final class Span {
        double least = Double.POSITIVE_INFINITY;
        double most;

        void add(double number) {
            least = Math.min(least, number);
            most = Math.max(most, number);
        }
    }
}
