// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.SplitMix64;
import java.util.Arrays;

/**
 * The read plan of one coordinator for one replica group, made from the group's heats at one instant; {@link PlanDrift}
 * says how far these may move before it is made anew. A plan draws the k replicas that a read contacts and orders the
 * others behind them. Immutable; a draw allocates nothing.
 */
public final class ReadPlan {
    /** Two numbers, two flags, two fractions, a rate and the references to an array and the orders. */
    private static final int FIELD_BYTES = 2 * Integer.BYTES + 2 + 3 * Double.BYTES + 2 * HeapBytes.REFERENCE;

    /** The factor by which the requests may change: what a disk bears is known no better. */
    private static final double MOST_OF_REQUESTS = 1.25;

    private final int k;
    private final boolean affinity;
    private final boolean equal;
    private final double wanderingFraction;
    private final double layoutPart;
    /** Those of all tables that the shares were made for. */
    private final double requestsPerSecond;

    /** Null where no replica is spared: it does not matter then how many reads a disk serves side by side. */
    private final SparingDisks disks;

    private final double[] shares;
    private final OrderTable orders;

    private ReadPlan(
            double[] shares,
            OrderTable orders,
            boolean equal,
            double requestsPerSecond,
            SparingDisks disks,
            int k,
            BalanceSettings settings) {
        this.requestsPerSecond = requestsPerSecond;
        this.disks = disks;
        this.k = k;
        this.equal = equal;
        this.affinity = settings.placement() == Placement.AFFINITY;
        this.wanderingFraction = settings.wanderingFraction();
        this.shares = shares;
        this.orders = orders;
        this.layoutPart = orders.layoutPart();
    }

    /**
     * The plan by the heats alone, as {@link #of(Heat[], RequestRate[], Standing[], DiskLoad, int, int,
     * BalanceSettings)} makes it where neither the rates nor the requests are known, and all replicas are used.
     */
    public static ReadPlan of(Heat[] heats, int k, int self, BalanceSettings settings) {
        int n = heats == null ? 0 : heats.length;
        return of(heats, new RequestRate[n], Standing.used(n), () -> 0, k, self, settings);
    }

    /**
     * The plan for these heats, or null if the snitch's order should stay. It stays if a heat is unknown (null), if
     * the heats are of different kinds, if there is one replica, if all replicas are contacted, or, with
     * {@link Placement#LOCAL}, if the heats differ by at most three tenths of the highest (or miss ratios by 0.01) and
     * the replicas coordinate about equally many reads. Such close heats get exactly equal shares, so that partitions
     * do not move between replicas without need.
     *
     * @param heats one per replica, in the same order on every node; at most 64
     * @param rates the rate at which each replica coordinates the table's reads; if one is not known (null), all count
     *     as equal
     * @param standings how this coordinator uses each replica besides
     * @param load what the disks bear; asked only where a plan needs it
     * @param k replicas contacted per read, 1 or above
     * @param self the coordinator's index among the replicas, -1 if it is no replica of the group
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public static ReadPlan of(
            Heat[] heats,
            RequestRate[] rates,
            Standing[] standings,
            DiskLoad load,
            int k,
            int self,
            BalanceSettings settings) {
        if (heats == null || heats.length == 0) {
            throw Allowed.refusal("heats", heats == null ? "null" : "empty", "one heat or more");
        }
        if (heats.length > OrderTable.MOST_REPLICAS) {
            throw Allowed.refusal("heats", heats.length + " heats", "at most " + OrderTable.MOST_REPLICAS);
        }
        if (rates == null || rates.length != heats.length) {
            throw Allowed.refusal("rates", rates == null ? "null" : rates.length + " rates", "one per heat");
        }
        if (standings == null || standings.length != heats.length) {
            throw Allowed.refusal(
                    "standings", standings == null ? "null" : standings.length + " standings", "one per heat");
        }
        if (k < 1) {
            throw Allowed.refusal("k", k, "1 or above");
        }
        if (self < -1 || self >= heats.length) {
            throw Allowed.refusal("self", self, "-1 to " + (heats.length - 1));
        }
        if (settings == null) {
            throw Allowed.refusal("settings", null, "settings");
        }
        if (k >= heats.length) {
            return null;
        }
        double[] missRatios = missRatios(heats, settings);
        if (missRatios == null) {
            return null;
        }

        boolean equal = areEqual(heats[0].kind(), missRatios);
        boolean local = settings.placement() == Placement.LOCAL;
        double[] coordinatorShares = CoordinatorShares.of(rates);
        if (equal && local && CoordinatorShares.areEven(coordinatorShares)) {
            return null;
        }
        double requests = equal ? 0 : load.requestsPerSecond();
        boolean spares = !equal && Arrays.asList(standings).contains(Standing.WARMED);
        SparingDisks disks = spares ? new SparingDisks(standings, load) : null;
        double[] groupShares = equal
                ? Shares.of(new double[heats.length], k, settings.missFloor())
                : sharesByCost(heats, missRatios, standings, requests, disks, k, settings);
        double[] shares =
                local && self >= 0 ? ForwardingMatrix.of(coordinatorShares, groupShares, k)[self] : groupShares;
        return new ReadPlan(shares, new OrderTable(shares, groupShares, k, self), equal, requests, disks, k, settings);
    }

    private static double[] sharesByCost(
            Heat[] heats,
            double[] missRatios,
            Standing[] standings,
            double requestsPerSecond,
            SparingDisks disks,
            int k,
            BalanceSettings settings) {
        double[] costs = settings.placement() == Placement.AFFINITY
                ? AffineCosts.of(missRatios, heats, standings, requestsPerSecond, k, settings)
                : missRatios;
        double[] least = LeastShares.of(heats, requestsPerSecond, k, settings);
        double[] shares = Shares.of(costs, k, settings.missFloor(), least, Shares.mostOfAny(heats.length, k));
        if (disks == null) {
            return shares;
        }
        double requestsOfPlace = requestsPerSecond / disks.servedAtOnce();
        double[] most = SparedReplicas.most(heats, standings, shares, requestsOfPlace, k, settings);
        for (int i = 0; i < least.length; i++) {
            least[i] = Math.min(least[i], most[i]);
        }
        return Shares.of(costs, k, settings.missFloor(), least, most);
    }

    /**
     * The misses per read of each replica, or null if a heat is unknown or the kinds differ. A read time or a cost
     * counts as its ratio to the highest of the group: reads that take twice as long cost the node twice as much.
     */
    private static double[] missRatios(Heat[] heats, BalanceSettings settings) {
        if (!areComparable(heats)) {
            return null;
        }
        double[] ratios = new double[heats.length];
        double highest = 0;
        for (int i = 0; i < heats.length; i++) {
            ratios[i] = ReplicaCosts.of(heats[i], settings);
            highest = Math.max(highest, ratios[i]);
        }
        if (heats[0].kind() != Heat.Kind.MISS_RATIO) {
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] /= highest;
            }
        }
        return ratios;
    }

    /** Whether all heats are known (not null) and of one kind. Of one replica or none there is nothing to compare. */
    public static boolean areComparable(Heat[] heats) {
        for (Heat heat : heats) {
            if (heat == null || heat.kind() != heats[0].kind()) {
                return false;
            }
        }
        return true;
    }

    private static boolean areEqual(Heat.Kind kind, double[] missRatios) {
        double highest = Arrays.stream(missRatios).max().getAsDouble();
        return ReplicaCosts.areEqual(kind, Arrays.stream(missRatios).min().getAsDouble(), highest);
    }

    /** What the plan takes on the heap. */
    public long bytes() {
        return HeapBytes.object(FIELD_BYTES)
                + HeapBytes.array(size(), Double.BYTES)
                + orders.bytes()
                + (disks == null ? 0 : disks.bytes());
    }

    /** The number of replicas in the group. */
    public int size() {
        return shares.length;
    }

    /** The number of replicas that a read contacts. */
    public int k() {
        return k;
    }

    /** The fraction of this coordinator's contacts for the replica, 0 to 1/k; all fractions sum to one. */
    public double shareOf(int replica) {
        return shares[replica];
    }

    /** The number of different orders in the plan; {@link #draw} chooses one of them. */
    public int orderCount() {
        return orders.count();
    }

    /** The replica at a place, 0 to {@link #size()} - 1, of an order, 0 to {@link #orderCount()} - 1. */
    public int replicaAt(int order, int place) {
        return orders.replicaAt(order, place);
    }

    /** Whether no replica's heat is a reason to read more or less from it than from another one. */
    public boolean hasEqualHeats() {
        return equal;
    }

    /**
     * Whether the plan still holds where all tables together have so many requests: what a disk bears besides is
     * reckoned with them, and {@link PlanDrift} looks at the requests of this table alone.
     *
     * @param now asked only where the plan depends on it
     */
    public boolean holdsFor(DiskLoad now) {
        if (equal) {
            return true;
        }
        double requestsNow = now.requestsPerSecond();
        return (disks == null || disks.areAsIn(now))
                && Math.max(requestsPerSecond, requestsNow)
                        <= MOST_OF_REQUESTS * Math.min(requestsPerSecond, requestsNow);
    }

    /**
     * Whether the reads of {@link HeavyHitters} are to be spread over all replicas: where their partitions' tokens
     * would decide. Without wandering each partition keeps its replicas.
     */
    public boolean spreadsHeavyHitters() {
        return affinity && wanderingFraction > 0;
    }

    /**
     * Draws the order of all replicas for one read. First come the k drawn replicas: the coordinator first if it is
     * drawn, otherwise each of them first equally often. The rest follows, drawn one after another by their shares (of
     * five replicas or more only the first one or two; the others by falling share). With random draws and up to nine
     * replicas, any two replicas that can meet by their shares do meet; draws by token use the fewest sets of replicas.
     *
     * @param token the partition's token; decides the draw under {@link Placement#AFFINITY}, except for
     *     the wandering fraction
     * @param u random number in [0, 1) that decides the draw otherwise
     * @param v random number in [0, 1) that chooses the first of the drawn replicas and orders the rest
     * @return the order's number, 0 to {@link #orderCount()} - 1
     */
    public int draw(long token, double u, double v) {
        double point =
                !affinity ? u : u < wanderingFraction ? u / wanderingFraction : SplitMix64.pointOf(token, layoutPart);
        return orders.draw(point, v);
    }

    /**
     * Draws as {@link #draw(long, double, double)} does.
     *
     * @param isHeavy whether the partition is one of {@link HeavyHitters}: its token decides nothing then
     */
    public int draw(long token, boolean isHeavy, double u, double v) {
        return isHeavy ? orders.draw(u, v) : draw(token, u, v);
    }

    /** Whether reads of the partition contact the replica under {@link Placement#AFFINITY}, unless they wander. */
    boolean isAffine(long token, int replica) {
        int order = orders.draw(SplitMix64.pointOf(token, layoutPart), 0);
        for (int place = 0; place < k; place++) {
            if (orders.replicaAt(order, place) == replica) {
                return true;
            }
        }
        return false;
    }

    /**
     * Draws as {@link #draw} does and writes the replicas of the order.
     *
     * @param into receives the replicas' indices; at least {@link #size()} long
     */
    public void order(long token, double u, double v, int[] into) {
        orders.write(draw(token, u, v), into);
    }
}
