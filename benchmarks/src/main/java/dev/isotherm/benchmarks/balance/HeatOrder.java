// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.ReadPlan;
import dev.isotherm.heat.RequestRate;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The order by heat: the plan of the living replicas, or the fixed order where there is none. */
final class HeatOrder implements Order {
    static final Integer TABLE = 0;

    private final int self;
    private final int contacts;
    private final Events events;
    private final HeatBoard<Integer, Integer> board;
    private final PlanMemo plans;
    private final SplittableRandom random;

    HeatOrder(
            int self,
            int contacts,
            Events events,
            HeatBoard<Integer, Integer> board,
            PlanMemo plans,
            SplittableRandom random) {
        this.self = self;
        this.contacts = contacts;
        this.events = events;
        this.board = board;
        this.plans = plans;
        this.random = random;
    }

    @Override
    public void order(int partition, int[] living, int[] into) {
        // The same order on every coordinator.
        int[] members = living.clone();
        Arrays.sort(members);
        Heat[] heats = new Heat[members.length];
        RequestRate[] rates = new RequestRate[members.length];
        for (int i = 0; i < members.length; i++) {
            heats[i] = board.heatOf(TABLE, members[i], events.now());
            rates[i] = board.rateOf(TABLE, members[i], events.now());
        }
        int own = Math.max(-1, Arrays.binarySearch(members, self));
        ReadPlan plan = plans.plan(heats, rates, contacts, own);
        if (plan == null) {
            Rivals.selfFirst(self, living, into);
            return;
        }
        plan.order(partition, random.nextDouble(), random.nextDouble(), into);
        for (int i = 0; i < into.length; i++) {
            into[i] = members[into[i]];
        }
    }
}
