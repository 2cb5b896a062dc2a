// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;

/**
 * What a request costs under each {@link Placement}, estimated from what a node sees under one of them: nanoseconds of
 * misses that {@link Placement#AFFINITY} can save, and of messages that it takes. Immutable.
 */
public final class PlacementCosts {
    /*
     * Of N replicas a request contacts K. Under affinity its coordinator is not among them with the chance 1 - K/N,
     * where it would have served one of the reads itself: so many messages more, each of which takes the time of a
     * remote read that hits.
     *
     * Seen from local: each node caches a part h = 1 - m of what is read. Under affinity K/N of the partitions are read
     * from it, so that its cache holds up to N/K times as large a part of them. The hit ratio of a cache grows with its
     * size at most in proportion (it is concave: what is read most is cached first), so that hits are at most N/K h,
     * and K contacts save at most
     *
     *     K min(m, (N/K - 1)(1 - m))  =  min(K m, (N - K)(1 - m))      misses a request.
     *
     * With equally popular partitions it is that, with popular ones less: what is saved is known once it was tried.
     *
     * Seen from affinity: misses there do not say what local would miss. Caches in which all would fit and caches in
     * which a K/N part just fits miss equally little. But the wandering part of the reads draws as local does. If all
     * misses were theirs, m/w of them would miss; and under local, caches hold what random draws need, so that no more
     * would:
     *
     *     local misses at most min(1, m/w) a contact, less m that affinity misses, too.
     */
    private final double contacts;
    private final double replicas;
    private final double missNanos;
    private final double messageNanos;
    private final double wanderingFraction;

    /**
     * @param contacts the replicas K that a request contacts, in the mean; counted as 1 to replicas
     * @param replicas the replicas N of a partition, 1 or above
     * @param missNanos what a miss takes more than a hit, 0 or above
     * @param messageNanos what a remote read takes that hits, 0 or above
     * @param wanderingFraction the fraction of reads drawn at random under affinity, 0 to 1
     */
    public PlacementCosts(
            double contacts, double replicas, double missNanos, double messageNanos, double wanderingFraction) {
        Allowed.ratio("wanderingFraction", wanderingFraction);
        Allowed.finiteNonNegative("missNanos", missNanos);
        Allowed.finiteNonNegative("messageNanos", messageNanos);
        if (!(replicas >= 1 && replicas < Double.POSITIVE_INFINITY)) {
            throw Allowed.refusal("replicas", replicas, "1 or above");
        }
        if (Double.isNaN(contacts)) {
            throw Allowed.refusal("contacts", contacts, "a number");
        }
        this.contacts = Math.max(1, Math.min(replicas, contacts));
        this.replicas = replicas;
        this.missNanos = missNanos;
        this.messageNanos = messageNanos;
        this.wanderingFraction = wanderingFraction;
    }

    /**
     * As the constructor; null while the contacts or what a message takes are not known, which NaN stands for, or the
     * table has no replicas.
     */
    public static PlacementCosts ifKnown(
            double contacts, double replicas, double missNanos, double messageNanos, double wanderingFraction) {
        return replicas < 1 || Double.isNaN(contacts) || Double.isNaN(messageNanos)
                ? null
                : new PlacementCosts(contacts, replicas, missNanos, messageNanos, wanderingFraction);
    }

    /** What the messages of a request take more under affinity; nanoseconds. */
    public double messages() {
        return (1 - contacts / replicas) * messageNanos;
    }

    /**
     * What affinity can save a request at most; nanoseconds.
     *
     * @param missRatio misses per read under local, 0 to 1
     */
    public double mostSaved(double missRatio) {
        return missNanos * Math.min(contacts * missRatio, (replicas - contacts) * (1 - missRatio));
    }

    /**
     * What affinity saves a request; nanoseconds, below 0 if it misses more.
     *
     * @param ofLocal misses per read under local, 0 to 1
     * @param ofAffinity misses per read under affinity, 0 to 1
     */
    public double saved(double ofLocal, double ofAffinity) {
        return missNanos * contacts * (ofLocal - ofAffinity);
    }

    /**
     * What local can lose a request at most beside affinity; nanoseconds.
     *
     * @param missRatio misses per read under affinity, 0 or above
     */
    public double mostLost(double missRatio) {
        // With no reads at random, nothing is known.
        double ofLocal = missRatio < wanderingFraction ? missRatio / wanderingFraction : 1;
        return saved(ofLocal, Math.min(1, missRatio));
    }
}
