// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Which replicas of a partition have it in their caches while all are equally warm: under {@link Placement#AFFINITY}
 * those that its reads then contact, without the reads that wander; under {@link Placement#LOCAL} all. Thread safe; an
 * answer takes no lock and, once another has been given for as many replicas and contacts, allocates nothing.
 *
 * <p>Whoever warms a cold replica with other partitions pushes out what it needs.
 */
public final class HomeReplicas {
    /** The numbers of contacts that are told apart, 0 to the most replicas: of more all are contacted. */
    private static final int CONTACTS = OrderTable.MOST_REPLICAS + 1;

    private final BalanceSettings settings;
    /** The plan at equal heat, by the numbers of replicas and of contacts; none where that draws nothing. */
    private final AtomicReferenceArray<Optional<ReadPlan>> plans =
            new AtomicReferenceArray<>((OrderTable.MOST_REPLICAS + 1) * CONTACTS);

    public HomeReplicas(BalanceSettings settings) {
        if (settings == null) {
            throw Allowed.refusal("settings", null, "settings");
        }
        this.settings = settings;
    }

    /** The settings that these are made for. */
    public BalanceSettings settings() {
        return settings;
    }

    /**
     * Whether the replica is one of them.
     *
     * @param replicas the number of living replicas, 1 to 64
     * @param k replicas contacted per read, 1 or above
     * @param token the partition's token
     * @param replica its index among the replicas, in the same order as for their plans, 0 to replicas - 1
     */
    public boolean contain(int replicas, int k, long token, int replica) {
        if (replicas < 1 || replicas > OrderTable.MOST_REPLICAS) {
            throw Allowed.refusal("replicas", replicas, "1 to " + OrderTable.MOST_REPLICAS);
        }
        if (k < 1) {
            throw Allowed.refusal("k", k, "1 or above");
        }
        int place = replicas * CONTACTS + Math.min(k, CONTACTS - 1);
        Optional<ReadPlan> plan = plans.get(place);
        if (plan == null) {
            // Threads that meet here make equal plans.
            plan = Optional.ofNullable(equallyWarm(replicas, k));
            plans.set(place, plan);
        }
        return plan.isEmpty() || plan.get().isAffine(token, replica);
    }

    private ReadPlan equallyWarm(int replicas, int k) {
        Heat[] heats = new Heat[replicas];
        Arrays.fill(heats, Heat.missRatio(1));
        return ReadPlan.of(heats, k, -1, settings);
    }
}
