// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * What a run of microbenchmarks falls short of. Times depend on the machine and on what else it does: whoever reads
 * them decides. What an operation allocates depends on neither, nor does whether it was measured.
 */
public final class Shortfalls {
    /** JMH counts the allocations of its own machinery, too: fractions of a byte come from JMH. */
    private static final double LEAST_BYTES = 1;

    private final boolean isWhole;
    private final List<String> slow = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();

    /** @param isWhole whether all benchmarks were to run: only then is one that did not a shortfall */
    public Shortfalls(boolean isWhole) {
        this.isWhole = isWhole;
    }

    /**
     * Judges a time or a ratio of times.
     *
     * @param measured NaN if it, or what it is compared with, was not run
     * @param sentence with what was measured and what is promised
     */
    public void atMost(double promised, double measured, String sentence) {
        judge(measured, measured <= promised, sentence, slow);
    }

    /** As {@link #atMost}, of what is the better the higher it is. */
    public void atLeast(double promised, double measured, String sentence) {
        judge(measured, measured >= promised, sentence, slow);
    }

    /** Judges what one operation allocates, where that is promised to be nothing. */
    public void noBytes(String operation, double bytes) {
        bytesAtMost(0, bytes, String.format("%s allocates %.1f bytes, promised are none", operation, bytes));
    }

    /** Judges what one operation allocates, which is promised to be no more than this. */
    public void bytesAtMost(double promised, double bytes, String sentence) {
        judge(bytes - promised, bytes - promised < LEAST_BYTES, sentence, broken);
    }

    /** Notes a benchmark that was not run. */
    public void missing(String sentence) {
        if (isWhole) {
            broken.add(sentence);
        }
    }

    private void judge(double measured, boolean isKept, String sentence, List<String> where) {
        if (Double.isNaN(measured)) {
            missing("not measured: " + sentence);
        } else if (!isKept) {
            where.add(sentence);
        }
    }

    /** A sentence for each promise about time that this run did not keep. */
    public List<String> slow() {
        return List.copyOf(slow);
    }

    /** A sentence for each promise that no load of the machine excuses. */
    public List<String> broken() {
        return List.copyOf(broken);
    }
}
