// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import dev.isotherm.common.Allowed;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many reads may be under way at a cold node, copies among them, when a copy has begun: as many as its disk serves
 * side by side. Any thread may ask and add what a copy took, without a lock or an allocation; one thread settles.
 */
public final class CopyPlaces {
    /*
     * A disk that serves one read at a time makes each of two wait for the other; one that serves several does not. So
     * one more is tried as long as a wait for the disk takes hardly longer than that of a read alone, and one less is
     * taken as soon as it does: once FEW copies have told.
     *
     * What is compared are medians of copies that began at the limit: of reads beside fewer others they would say too
     * little. The time of a read alone is the least that was seen since the limit was last 1, where it is measured
     * anew: a disk that has become slower takes the limit down to 1.
     *
     * Where a wait is short, or hardly a copy waits, one read after the other already makes thousands a second, and
     * more at a time would take processors from the clients. So would copies that take the processors longer than the
     * disk, all together: what those take that do not wait tells.
     */
    /** Number of waits of a copy of which nobody tells how often it has waited. */
    public static final long NOT_KNOWN = -1;
    /** The part by which a wait may take longer than that of a read alone. */
    public static final double MOST_LONGER = 0.25;
    /** A disk whose waits are shorter serves one copy at a time. */
    public static final long SHORT_WAIT_NANOS = 500_000;
    /** Time after which a limit that was too much is tried again. */
    public static final long RETRY_NANOS = 10_000_000_000L;
    /** Least copies that tell what a wait takes. */
    private static final int FEW = 8;
    /** Copies without a wait to each one with: where there are more, the disk is hardly asked any more. */
    private static final int HARDLY = 8;

    private static final int WINDOW = 64;

    private volatile int most;
    private final AtomicLongArray times = new AtomicLongArray(WINDOW);
    private final AtomicInteger added = new AtomicInteger();
    private final AtomicInteger waited = new AtomicInteger();
    private final LongAdder waitedNanos = new LongAdder();
    private final AtomicInteger notWaited = new AtomicInteger();
    /** Those of which it is known that they have not waited. */
    private final AtomicInteger knownNotWaited = new AtomicInteger();

    private final LongAdder notWaitedNanos = new LongAdder();
    private volatile int limit = 1;
    private long aloneNanos = Long.MAX_VALUE;
    private long tooMuchSince;
    private boolean wasTooMuch;

    /** @param most the highest limit, 1 or above */
    public CopyPlaces(int most) {
        limitTo(most);
    }

    /** Sets the highest limit, 1 or above; a higher one that holds now falls to it at the next settling. */
    public final void limitTo(int highest) {
        if (highest < 1) {
            throw Allowed.refusal("most", highest, "1 or above");
        }
        most = highest;
    }

    /** The most reads that may be under way, a copy that begins now included; 1 or above. */
    public int limit() {
        return limit;
    }

    /**
     * Adds what a copy took.
     *
     * @param underWay how many reads were under way when it began, itself included
     * @param waits how often it waited for the disk, 0 or above; {@link #NOT_KNOWN} where that is not known
     * @param nanos how long it took, 0 or above
     */
    public void ended(int underWay, long waits, long nanos) {
        if (waits > 0) {
            waited.incrementAndGet();
            waitedNanos.add(nanos);
        } else {
            notWaited.incrementAndGet();
            if (waits == 0) {
                knownNotWaited.incrementAndGet();
                notWaitedNanos.add(nanos);
            }
        }
        if (waits > 0 && underWay == limit) {
            times.set((added.getAndIncrement() & Integer.MAX_VALUE) % WINDOW, nanos / waits);
        }
    }

    /**
     * Brings the limit up to date, about once in a second.
     *
     * @return the limit from now on
     */
    public int settle(long nowNanos) {
        int count = Math.min(WINDOW, added.get());
        int with = waited.getAndSet(0);
        int without = notWaited.getAndSet(0);
        int knownWithout = knownNotWaited.getAndSet(0);
        double nanosWith = waitedNanos.sumThenReset();
        double nanosWithout = notWaitedNanos.sumThenReset();
        boolean isOfProcessors = knownWithout >= FEW && areOfProcessors(with, nanosWith, knownWithout, nanosWithout);
        if (isOfProcessors || without >= FEW && without > HARDLY * with) {
            begin();
        } else if (count >= FEW) {
            decide(median(count), nowNanos);
            // A copy that began before and ends now may count with those of the new limit; there are FEW of them.
            added.set(0);
        }
        limit = Math.min(limit, most);
        return limit;
    }

    private static boolean areOfProcessors(int with, double nanosWith, int without, double nanosWithout) {
        double nanosOfOne = nanosWithout / without;
        double ofProcessors = (with + without) * nanosOfOne;
        return nanosWith - with * nanosOfOne < ofProcessors;
    }

    private void decide(long nanos, long nowNanos) {
        aloneNanos = limit == 1 ? nanos : Math.min(aloneNanos, nanos);
        if (aloneNanos < SHORT_WAIT_NANOS) {
            limit = 1;
        } else if (limit > 1 && nanos > (1 + MOST_LONGER) * aloneNanos) {
            limit--;
            wasTooMuch = true;
            tooMuchSince = nowNanos;
        } else if (limit < most && !(wasTooMuch && nowNanos - tooMuchSince < RETRY_NANOS)) {
            limit++;
        }
    }

    private long median(int count) {
        long[] sorted = new long[count];
        for (int i = 0; i < count; i++) {
            sorted[i] = times.get(i);
        }
        Arrays.sort(sorted);
        return sorted[count / 2];
    }

    /** Begins again with one at a time, as for a disk that is not known. */
    public void reset() {
        begin();
        wasTooMuch = false;
        waited.set(0);
        notWaited.set(0);
        knownNotWaited.set(0);
        waitedNanos.reset();
        notWaitedNanos.reset();
    }

    private void begin() {
        limit = 1;
        aloneNanos = Long.MAX_VALUE;
        added.set(0);
    }
}
