// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/**
 * A clock that stands still while this process does not run: a thread that stood still with it has held nothing, and an
 * answer that came meanwhile is not late. One thread ticks at regular intervals; any thread reads, without a lock.
 */
public final class RunningClock {
    /*
     * After a pause other threads may come before the next tick, which notes the pause, or with an instant from before
     * it: so the clock shows nothing later than some time after the last tick, nor before the end of the last pause.
     */
    private static final class Tick {
        final long nanos;
        final long running;
        final boolean hasPaused;
        /** At the end of the last pause, if there was any. */
        final long resumed;

        Tick(long nanos, long running, boolean hasPaused, long resumed) {
            this.nanos = nanos;
            this.running = running;
            this.hasPaused = hasPaused;
            this.resumed = resumed;
        }
    }

    private final long mostNanos;
    private final long countedNanos;
    private volatile Tick last;

    /**
     * @param mostNanos where the next tick comes later than this, the process did not run in between
     * @param countedNanos for how long it has run then, at most {@code mostNanos}
     * @param nowNanos the present, on the clock of all calls
     */
    public RunningClock(long mostNanos, long countedNanos, long nowNanos) {
        this.mostNanos = mostNanos;
        this.countedNanos = countedNanos;
        this.last = new Tick(nowNanos, nowNanos, false, nowNanos);
    }

    /** What this clock shows. Before a pause is noted it may be ahead by {@code mostNanos - countedNanos}. */
    public long running(long nowNanos) {
        Tick tick = last;
        long running = tick.running + Math.min(mostNanos, nowNanos - tick.nanos);
        return tick.hasPaused && running - tick.resumed < 0 ? tick.resumed : running;
    }

    /**
     * Notes that the process runs.
     *
     * @return for how long it has not since the last call
     */
    public long tick(long nowNanos) {
        Tick tick = last;
        long sinceLast = nowNanos - tick.nanos;
        boolean paused = sinceLast > mostNanos;
        long ran = paused ? countedNanos : sinceLast;
        long running = tick.running + ran;
        last = new Tick(nowNanos, running, paused || tick.hasPaused, paused ? running : tick.resumed);
        return sinceLast - ran;
    }
}
