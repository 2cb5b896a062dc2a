// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/**
 * Tells the samples of a time in which was measured from those across a pause: the process stood still, or all features
 * were switched off. Used by one thread.
 *
 * <p>What was read in a pause says nothing of now, nor is a pause a time in which clients read less. Where each sample
 * comes late, as on a node without a processor to spare, every second one counts all the same.
 */
public final class SamplePauses {
    /** Ten times the interval of samples. */
    private static final long PAUSE_NANOS = 2_000_000_000L;

    private boolean any;
    private boolean lastWasOne;
    private long sampledNanos;

    /** Takes a sample; true if the time since the last one is a pause, which counts for nothing. */
    public boolean endsPause(long nowNanos) {
        lastWasOne = any && !lastWasOne && nowNanos - sampledNanos > PAUSE_NANOS;
        any = true;
        sampledNanos = nowNanos;
        return lastWasOne;
    }
}
