// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;

/** Decides when a table's heat is due for a report to the other nodes. Immutable. */
public final class PublishingRule {
    /** Each coordinator gets a changed report on a response after this time, at the earliest: nanoseconds. */
    public static final long LEAST_BETWEEN_CARRIED_NANOS = 100_000_000L;
    /**
     * Gossip has one round a second: a second publication within a round would replace the first before any node has
     * read it.
     */
    private static final long GOSSIP_ROUND_NANOS = 1_000_000_000L;

    private static final PublishingRule DEFAULTS = new PublishingRule(0.01, 0.10, 5_000_000_000L, 30_000_000_000L);

    private final double smallChange;
    private final double largeChange;
    private final long minIntervalNanos;
    private final long refreshNanos;

    /**
     * @param smallChange a larger {@linkplain Heat#distanceTo distance} is published after minIntervalNanos, 0 to 1
     * @param largeChange a larger distance is published at once, smallChange to 1
     * @param minIntervalNanos least time between two small changes, 0 or above
     * @param refreshNanos an unchanged heat is repeated after this, minIntervalNanos or above
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public PublishingRule(double smallChange, double largeChange, long minIntervalNanos, long refreshNanos) {
        Allowed.ratio("smallChange", smallChange);
        if (!(largeChange >= smallChange && largeChange <= 1)) {
            throw Allowed.refusal("largeChange", largeChange, smallChange + " (smallChange) to 1");
        }
        if (minIntervalNanos < 0) {
            throw Allowed.refusal("minIntervalNanos", minIntervalNanos, "0 or above");
        }
        if (refreshNanos < minIntervalNanos) {
            throw Allowed.refusal("refreshNanos", refreshNanos, minIntervalNanos + " (minIntervalNanos) or above");
        }
        this.smallChange = smallChange;
        this.largeChange = largeChange;
        this.minIntervalNanos = minIntervalNanos;
        this.refreshNanos = refreshNanos;
    }

    /** Changes above 0.01 each 5 s at most, above 0.10 at once, repeated after 30 s. */
    public static PublishingRule defaults() {
        return DEFAULTS;
    }

    /**
     * Whether the current heat should be published.
     *
     * @param published the heat published last, or null if there was none
     * @param sinceNanos time since then
     */
    public boolean isDue(Heat published, Heat current, long sinceNanos) {
        if (published == null || sinceNanos >= refreshNanos) {
            return true;
        }
        double change = published.distanceTo(current);
        return change > largeChange || (change > smallChange && sinceNanos >= minIntervalNanos);
    }

    /** Whether a round of gossip has passed since a publication, so that another may be due. */
    public boolean mayPublish(long sinceNanos) {
        return sinceNanos >= GOSSIP_ROUND_NANOS;
    }

    /**
     * As {@link #isDue(Heat, Heat, long)}, with the rates told beside the heats; null where not known. A rate that has
     * moved by one step of its grid has made a small change: of hundreds of tables one does each second.
     */
    public boolean isDue(Heat published, RequestRate publishedRate, Heat current, RequestRate rate, long sinceNanos) {
        return mayPublish(sinceNanos)
                && (isDue(published, current, sinceNanos) || isRateDue(publishedRate, rate, sinceNanos));
    }

    private boolean isRateDue(RequestRate published, RequestRate current, long sinceNanos) {
        if (published == current) {
            return false;
        }
        boolean isSmall = published != null && current != null && published.isBeside(current);
        return !isSmall || sinceNanos >= minIntervalNanos;
    }
}
