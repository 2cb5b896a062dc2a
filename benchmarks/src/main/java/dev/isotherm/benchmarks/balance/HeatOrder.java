// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.GroupHeats;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.HeavyHitters;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.ReadPlan;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** The order by heat: the plan of the living replicas, or the fixed order where there is none. */
final class HeatOrder implements Order {
    static final Integer TABLE = 0;

    private final int self;
    private final Simulation simulation;
    private final HeatBoard<Integer, Integer> board;
    private final HeatOfNode heat;
    private final Map<Placement, PlanMemo> plans;
    private final SplittableRandom random;
    private final Map<Integer, Planned> groups = new HashMap<>();
    private final HeavyHitters heavyHitters = new HeavyHitters();

    /** A group's plan, and what it was made of. */
    private static final class Planned {
        final Integer[] members;
        final GroupHeats<Integer, Integer> heats;
        final Placement placement;
        final ReadPlan plan;

        Planned(Integer[] members, GroupHeats<Integer, Integer> heats, Placement placement, ReadPlan plan) {
            this.members = members;
            this.heats = heats;
            this.placement = placement;
            this.plan = plan;
        }
    }

    HeatOrder(
            int self, Simulation simulation, HeatOfNode heat, Map<Placement, PlanMemo> plans, SplittableRandom random) {
        this.self = self;
        this.simulation = simulation;
        this.heat = heat;
        this.board = heat.board();
        this.plans = plans;
        this.random = random;
    }

    @Override
    public void order(int partition, int[] living, int[] into) {
        Planned planned = planned(simulation.ring.groupOf(simulation.ring.rangeOf(partition)), living);
        boolean isHeavy = planned.plan != null
                && planned.plan.spreadsHeavyHitters()
                && heavyHitters.saw(partition, random.nextInt());
        if (planned.plan == null || isHeavy && planned.plan.hasEqualHeats()) {
            Rivals.selfFirst(self, living, into);
            return;
        }
        double u = random.nextDouble();
        double v = random.nextDouble();
        int order = planned.plan.draw(partition, isHeavy, u, v);
        for (int i = 0; i < into.length; i++) {
            into[i] = planned.members[planned.plan.replicaAt(order, i)];
        }
    }

    private Planned planned(int group, int[] living) {
        // The same order on every coordinator.
        Integer[] members = Arrays.stream(living).sorted().boxed().toArray(Integer[]::new);
        long now = simulation.events.now();
        Planned planned = groups.get(group);
        boolean isCurrent = planned != null
                && planned.placement == heat.placement()
                && Arrays.equals(planned.members, members)
                && planned.heats.areCurrent(now);
        if (!isCurrent) {
            GroupHeats<Integer, Integer> heats = board.group(TABLE, members, heat.placement(), now);
            int own = Math.max(-1, Arrays.binarySearch(members, self));
            double requests = board.requestsPerSecond(members, now);
            ReadPlan plan = plans.get(heat.placement())
                    .plan(heats, requests, heat.servedAtOnce(members), simulation.scenario.contacts(), own);
            planned = new Planned(members, heats, heat.placement(), plan);
            groups.put(group, planned);
        }
        simulation.observed.planned(!isCurrent, now);
        return planned;
    }
}
