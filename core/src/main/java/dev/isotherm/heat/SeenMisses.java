// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The misses that a node has seen of one table since it was asked last, and what a miss takes, by any source of heat.
 * Used by one thread.
 */
public final class SeenMisses {
    private BalanceSettings settings;
    private double reads;
    private double misses;
    private double missNanos;
    private double waitedBefore;
    private double sampledBefore;

    public SeenMisses(BalanceSettings settings) {
        this.settings = settings;
    }

    /** What is added from now on is counted by these settings. */
    public void follow(BalanceSettings present) {
        settings = present;
    }

    /** Adds look-ups of a cache; a miss takes what the settings say of a cold read. */
    public void addLookUps(double newMisses, double newReads) {
        reads += newReads;
        misses += Math.min(newReads, newMisses);
        missNanos = settings.coldReadNanos();
    }

    /** Adds reads and the time that they took together: what is above a warm read's counts as part of a cold one. */
    public void addTimes(double nanos, double newReads) {
        missNanos = settings.coldReadNanos() - settings.warmReadNanos();
        if (newReads > 0) {
            double above = nanos / newReads - settings.warmReadNanos();
            reads += newReads;
            misses += newReads * Math.max(0, Math.min(1, missNanos == 0 ? 0 : above / missNanos));
        }
    }

    /** Adds what a sample of the reads has seen of the disk since the last call. */
    public void addSampled(DiskReads disk) {
        // In the reverse order of their counting.
        double waited = disk.waited();
        double sampled = disk.sampled();
        double newReads = sampled - sampledBefore;
        reads += newReads;
        misses += Math.min(newReads, waited - waitedBefore);
        waitedBefore = waited;
        sampledBefore = sampled;
        missNanos = disk.nanosPerWaitingRead();
    }

    /** The reads since they were {@linkplain #clear cleared}. */
    public double reads() {
        return reads;
    }

    /** Those of them that missed. */
    public double misses() {
        return misses;
    }

    /** What a miss takes; nanoseconds. */
    public double missNanos() {
        return missNanos;
    }

    public void clear() {
        reads = 0;
        misses = 0;
    }
}
