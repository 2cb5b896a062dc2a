// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The reads that one coordinator has sent to one replica and that have no answer yet, with the instant of each.
 *
 * <p>Thread safe and lock-free; nothing is allocated for a read. All instants are of one monotonic clock.
 */
final class UnansweredReads {
    /*
     * A read's place is given by the low bits of its message's number. Numbers are given out in sequence, so that two
     * unanswered reads meet in a place only if 512 messages lie between them. The earlier one then keeps the place:
     * a busy coordinator sends 512 messages in less time than a read takes to be overdue. The later one is not noted:
     * the count of unanswered reads may be too low, and never too high. A place holds 20 more bits of the number, which
     * tell an answer to the earlier read from an answer to the later one, and the instant in units of 1,024 ns, rounded
     * up: no read seems older than it is.
     */
    static final int PLACES = 512;

    private static final int PLACE_BITS = 9;
    private static final int UNIT_BITS = 10;
    /** A read's age may be less than the true one by that. */
    static final long ROUNDING_NANOS = 3 << UNIT_BITS;

    private static final int TIME_BITS = 44;
    private static final long TIME_MASK = (1L << TIME_BITS) - 1;
    private static final long EMPTY = 0;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(UnansweredReads.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] places = new long[PLACES];
    private volatile int count;

    /**
     * Notes a read, unless an unanswered one of at most that age has its place.
     *
     * @param id the number of its message, given out in sequence
     * @param mostNanos the age beyond which reads are of no interest any more
     */
    void sent(long id, long mostNanos, long nowNanos) {
        int place = place(id);
        long earlier = (long) PLACE.getVolatile(places, place);
        if (earlier != EMPTY && age(earlier, nowNanos) <= mostNanos) {
            return;
        }
        // Counted before it is noted: whoever finds the read noted, to answer it or to give it up, finds it counted.
        COUNT.getAndAdd(this, 1);
        if (!PLACE.compareAndSet(places, place, earlier, word(id, nowNanos)) || earlier != EMPTY) {
            COUNT.getAndAdd(this, -1);
        }
    }

    /**
     * Takes an answer.
     *
     * @return the round trip in nanoseconds, 0 or above; -1 if no read of that number is unanswered
     */
    long answered(long id, long nowNanos) {
        int place = place(id);
        long word = (long) PLACE.getVolatile(places, place);
        if (word == EMPTY || tag(word) != tag(word(id, 0)) || !PLACE.compareAndSet(places, place, word, EMPTY)) {
            return -1;
        }
        COUNT.getAndAdd(this, -1);
        return age(word, nowNanos);
    }

    /** The number of unanswered reads, 0 or above; for each other thread within a call it may be one too high. */
    int count() {
        return count;
    }

    /** The age of the oldest unanswered read in nanoseconds, 0 or above; -1 if there is none. */
    long oldestNanos(long nowNanos) {
        long oldest = -1;
        for (int place = 0; place < PLACES && count > 0; place++) {
            long word = (long) PLACE.getOpaque(places, place);
            oldest = word == EMPTY ? oldest : Math.max(oldest, age(word, nowNanos));
        }
        return oldest;
    }

    /** The age that three unanswered reads have reached, in nanoseconds, 0 or above; -1 if there are not as many. */
    long thirdOldestNanos(long nowNanos) {
        long oldest = -1;
        long second = -1;
        long third = -1;
        for (int place = 0; place < PLACES && count > 0; place++) {
            long word = (long) PLACE.getOpaque(places, place);
            long age = word == EMPTY ? -1 : age(word, nowNanos);
            if (age > oldest) {
                third = second;
                second = oldest;
                oldest = age;
            } else if (age > second) {
                third = second;
                second = age;
            } else {
                third = Math.max(third, age);
            }
        }
        return third;
    }

    /** The number of unanswered reads that were sent from an age of {@code mostNanos} to one of {@code leastNanos}. */
    int countOfAge(long leastNanos, long mostNanos, long nowNanos) {
        int found = 0;
        for (int place = 0; place < PLACES && count > 0; place++) {
            long word = (long) PLACE.getOpaque(places, place);
            if (word != EMPTY && age(word, nowNanos) >= leastNanos && age(word, nowNanos) <= mostNanos) {
                found++;
            }
        }
        return found;
    }

    /** Forgets the reads of at least that age: Cassandra has given them up, and no answer will come. */
    void giveUp(long ageNanos, long nowNanos) {
        for (int place = 0; place < PLACES && count > 0; place++) {
            long word = (long) PLACE.getVolatile(places, place);
            if (word != EMPTY && age(word, nowNanos) >= ageNanos && PLACE.compareAndSet(places, place, word, EMPTY)) {
                COUNT.getAndAdd(this, -1);
            }
        }
    }

    private static int place(long id) {
        return (int) id & (PLACES - 1);
    }

    private static long word(long id, long nanos) {
        long units = nanos + (1 << UNIT_BITS) - 1 >> UNIT_BITS;
        long word = (id >>> PLACE_BITS) << TIME_BITS | (units & TIME_MASK);
        return word == EMPTY ? 1 : word;
    }

    private static long tag(long word) {
        return word >>> TIME_BITS;
    }

    /**
     * Less than three units below the true age.
     * Not below 0: a thread may be delayed between its reading of the clock and this code.
     */
    private static long age(long word, long nowNanos) {
        int unused = Long.SIZE - TIME_BITS;
        return Math.max(0, (((nowNanos >> UNIT_BITS) - word) << unused >> unused) << UNIT_BITS);
    }
}
