// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** Another replica of which only is known how long its reads take; it judges nothing. */
final class KnownReads implements ReadWatch {
    private final long usualTailNanos;
    private final long meanNanos;
    private final double spread;
    private final long threeInFourNanos;

    KnownReads(long usualTailNanos, long meanNanos, double spread) {
        this(usualTailNanos, meanNanos, spread, -1);
    }

    KnownReads(long usualTailNanos, long meanNanos, double spread, long threeInFourNanos) {
        this.threeInFourNanos = threeInFourNanos;
        this.usualTailNanos = usualTailNanos;
        this.meanNanos = meanNanos;
        this.spread = spread;
    }

    /** Has a replica compare itself with others. */
    static void compare(ReadWatch one, KnownReads... others) {
        Elsewhere elsewhere = new Elsewhere();
        elsewhere.add(one, true);
        for (KnownReads other : others) {
            elsewhere.add(other, true);
        }
        one.compareWith(elsewhere);
    }

    @Override
    public long usualTailNanos() {
        return usualTailNanos;
    }

    @Override
    public long meanNanos() {
        return meanNanos;
    }

    @Override
    public long latestNanos(double part) {
        return part > 0.5 || threeInFourNanos < 0 ? threeInFourNanos : threeInFourNanos / 2;
    }

    /** Of a node without a spread, which is this one, there are none. */
    @Override
    public long medianRoundTripNanos() {
        return spread < 0 ? -1 : latestNanos(0.5);
    }

    @Override
    public double spread() {
        return spread;
    }

    @Override
    public void see(Evidence into, long nowNanos) {
        into.clear();
    }

    @Override
    public void use(GuardSettings changed) {}

    @Override
    public void judgeFrom(long nowNanos) {}

    @Override
    public void trust() {}

    @Override
    public void excuse() {}

    @Override
    public long patienceNanos() {
        return 0;
    }

    @Override
    public void compareWith(Elsewhere elsewhere) {}

    @Override
    public void learn(boolean inUse) {}

    @Override
    public int unanswered() {
        return 0;
    }

    @Override
    public long oldestNanos(long nowNanos) {
        return -1;
    }

    @Override
    public long waitNanos(long nowNanos) {
        return 0;
    }

    @Override
    public long betterOffNanos(long nowNanos) {
        return 0;
    }

    @Override
    public boolean letsWait(long nanos, long withinNanos, long nowNanos) {
        return false;
    }
}
