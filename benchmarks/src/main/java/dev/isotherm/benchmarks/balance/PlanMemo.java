// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.DiskLoad;
import dev.isotherm.heat.GroupHeats;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.ReadPlan;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.Standing;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The plans of all coordinators of a simulation by what they are made of: equal inputs give equal plans, so that one
 * object serves all. A real coordinator keeps its own.
 */
final class PlanMemo {
    private static final int MOST = 50_000;

    private final BalanceSettings settings;
    private final Map<Inputs, Optional<ReadPlan>> plans = new HashMap<>();

    PlanMemo(BalanceSettings settings) {
        this.settings = settings;
    }

    /** The plan for what is known of a group, or null if there is none. */
    ReadPlan plan(GroupHeats<?, ?> known, double requestsPerSecond, int[] servedAtOnce, int k, int self) {
        Inputs inputs = new Inputs(known, requestsPerSecond, servedAtOnce, k, self);
        Optional<ReadPlan> plan = plans.get(inputs);
        if (plan == null) {
            if (plans.size() >= MOST) {
                plans.clear();
            }
            plan = Optional.ofNullable(
                    ReadPlan.of(inputs.heats, inputs.rates, inputs.standings, inputs, k, self, settings));
            plans.put(inputs, plan);
        }
        return plan.orElse(null);
    }

    private static final class Inputs implements DiskLoad {
        final Heat[] heats;
        final RequestRate[] rates;
        final Standing[] standings;
        final double requestsPerSecond;
        final int[] servedAtOnce;
        final int k;
        final int self;
        final int hash;

        Inputs(GroupHeats<?, ?> known, double requestsPerSecond, int[] servedAtOnce, int k, int self) {
            this.heats = known.heats();
            this.rates = known.rates();
            this.standings = known.standings();
            this.requestsPerSecond = requestsPerSecond;
            this.servedAtOnce = servedAtOnce;
            this.k = k;
            this.self = self;
            int sum = 31 * k + self;
            for (int i = 0; i < heats.length; i++) {
                sum = 31 * sum + (heats[i] == null ? -1 : 256 * heats[i].kindCode() + heats[i].code());
                sum = 31 * sum + (rates[i] == null ? 0 : rates[i].code());
            }
            this.hash = sum;
        }

        @Override
        public double requestsPerSecond() {
            return requestsPerSecond;
        }

        @Override
        public int servedAtOnce(int replica) {
            return servedAtOnce[replica];
        }

        /** There is one object per heat and per rate. */
        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Inputs)) {
                return false;
            }
            Inputs that = (Inputs) other;
            return requestsPerSecond == that.requestsPerSecond
                    && Arrays.equals(servedAtOnce, that.servedAtOnce)
                    && k == that.k
                    && self == that.self
                    && Arrays.equals(heats, that.heats)
                    && Arrays.equals(rates, that.rates)
                    && Arrays.equals(standings, that.standings);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
