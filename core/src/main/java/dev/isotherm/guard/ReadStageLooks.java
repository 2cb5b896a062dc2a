// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** What the read threads of this node did in the last half second, look by look. For one thread. */
final class ReadStageLooks {
    /** The looks that count: half a second of them. */
    static final int LOOKS = 10;

    private final int[] tasks = new int[LOOKS];
    private final long[] ended = new long[LOOKS];
    private final long[] readNanos = new long[LOOKS];
    private final long[] otherNanos = new long[LOOKS];
    private final long[] spans = new long[LOOKS];
    private int next;
    private int looks;

    /**
     * Adds a look.
     *
     * @param tasksNow tasks that are served or wait
     * @param reads single-partition reads that have ended since the look before, which took {@code nanosOfReads}
     *     together
     * @param nanosOfOthers the time that the other tasks took that have ended since then
     * @param span the time since then, 1 ns or above
     */
    void add(int tasksNow, long reads, long nanosOfReads, long nanosOfOthers, long span) {
        tasks[next] = tasksNow;
        ended[next] = reads;
        readNanos[next] = nanosOfReads;
        otherNanos[next] = nanosOfOthers;
        spans[next] = span;
        next = (next + 1) % LOOKS;
        looks = Math.min(LOOKS, looks + 1);
    }

    void clear() {
        looks = 0;
    }

    /** Whether half a second of them is there. */
    boolean areComplete() {
        return looks == LOOKS;
    }

    /** The reads that had ended at the last look since the one before. */
    long endedLast() {
        return ended[newest(0)];
    }

    /** The reads that have ended. */
    long ended() {
        return lately(ended);
    }

    /** What these took together, nanoseconds. */
    long readNanos() {
        return lately(readNanos);
    }

    /** The time that the looks span, nanoseconds: about half a second. */
    long spanNanos() {
        return lately(spans);
    }

    /** The tasks at that look at which they were most. */
    int mostTasks() {
        int most = 0;
        for (int look = 0; look < looks; look++) {
            most = Math.max(most, tasks[newest(look)]);
        }
        return most;
    }

    private int leastTasks() {
        int least = Integer.MAX_VALUE;
        for (int tasksThen : tasks) {
            least = Math.min(least, tasksThen);
        }
        return least;
    }

    /** The tasks, all the time, beyond twice those that the ended ones explain; 0 for one or two: a long scan. */
    int unexplained() {
        if (!areComplete()) {
            return 0;
        }
        double busy = (double) (lately(readNanos) + lately(otherNanos)) / lately(spans);
        int unexplained = (int) Math.floor(leastTasks() - 2 * busy);
        return unexplained < Lateness.LEAST_LATE ? 0 : unexplained;
    }

    /**
     * How long a read takes at least, with those before it at the pace at which reads end; nanoseconds.
     * 0 where hardly any task waits, or it is not known yet; {@link Long#MAX_VALUE} where no read ends.
     */
    long leastWaitNanos() {
        return areComplete() ? waitNanos(leastTasks()) : 0;
    }

    /** The time from the last look but one to the present, about; nanoseconds. */
    long latestNanos() {
        return 2 * spanNanos() / LOOKS;
    }

    /**
     * How long one takes that comes now, as far as the last two looks tell: one alone may be in a burst. 0 where no
     * read ends: tasks that last may be scans.
     */
    long waitNanos() {
        boolean known = areComplete() && ended() > 0;
        return known ? waitNanos(Math.min(tasks[newest(0)], tasks[newest(1)])) : 0;
    }

    private long waitNanos(int before) {
        long reads = ended();
        if (before < Lateness.LEAST_LATE) {
            return 0;
        }
        // Scans take threads, and single reads do not wait for their end: those before a read are as many of the tasks
        // as reads had of the threads' time.
        double all = (double) lately(readNanos) + lately(otherNanos);
        double part = all > 0 ? lately(readNanos) / all : 1;
        return reads == 0 ? Long.MAX_VALUE : (long) (part * before * lately(spans) / reads);
    }

    private long lately(long[] ofLooks) {
        long sum = 0;
        for (int look = 0; look < looks; look++) {
            sum += ofLooks[newest(look)];
        }
        return sum;
    }

    private int newest(int look) {
        return (next - 1 - look + 2 * LOOKS) % LOOKS;
    }
}
