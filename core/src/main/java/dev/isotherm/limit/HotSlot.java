// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The slot of one partition in {@link HotPartitions}. */
final class HotSlot<G, K> {
    /** A slot's partition and rates at one instant. */
    static final class Rates<G, K> {
        final G group;
        final K key;
        final double reads;
        final double writes;
        final double rejectedByTable;
        final double rejectedByKey;

        Rates(G group, K key, double reads, double writes, double rejectedByTable, double rejectedByKey) {
            this.group = group;
            this.key = key;
            this.reads = reads;
            this.writes = writes;
            this.rejectedByTable = rejectedByTable;
            this.rejectedByKey = rejectedByKey;
        }

        double rejected() {
            return rejectedByTable + rejectedByKey;
        }

        double total() {
            return reads + writes + rejected();
        }
    }

    private static final VarHandle USE;
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int READS = 0;
    private static final int WRITES = 1;
    private static final int REJECTED_BY_TABLE = 2;
    private static final int REJECTED_BY_KEY = 3;
    private static final int KINDS = 4;
    private static final int WEIGHT = 4;
    /** A partition with fewer sampled operations a second than this loses its slot. */
    private static final double COLD = 0.01;

    static {
        try {
            USE = MethodHandles.lookup().findVarHandle(HotSlot.class, "use", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /*
     * A sequence lock: 0 before the slot's first use, odd while the slot is being changed. Fields read between two
     * equal even numbers belong together. A count that another thread adds during a change may go to the slot's next
     * partition: one sampled operation.
     */
    private volatile int use;
    private volatile boolean taken;
    private volatile long partition;
    private volatile G group;
    private volatile K key;
    private final int[] counts = new int[KINDS + 1];
    // Written only by tick and claim, each while the use number is odd.
    private volatile double reads;
    private volatile double writes;
    private volatile double rejectedByTable;
    private volatile double rejectedByKey;
    private double share;

    boolean holds(long id) {
        return partition == id && taken;
    }

    void count(Operation operation, Verdict verdict) {
        COUNT.getAndAdd(counts, kind(operation, verdict), 1);
        COUNT.getAndAdd(counts, WEIGHT, 1);
    }

    private static int kind(Operation operation, Verdict verdict) {
        switch (verdict) {
            case OVER_TABLE_LIMIT:
                return REJECTED_BY_TABLE;
            case OVER_KEY_LIMIT:
                return REJECTED_BY_KEY;
            default:
                return operation == Operation.READ ? READS : WRITES;
        }
    }

    /** The operations lately sampled of the partition and of its predecessors in the slot; -1 for an empty slot. */
    int weight() {
        return taken ? (int) COUNT.getOpaque(counts, WEIGHT) : -1;
    }

    /**
     * Gives the slot to another partition, which inherits only the weight; false if another thread is changing the
     * slot.
     */
    boolean claim(long id, G ofGroup, K ofKey) {
        int before = use;
        if ((before & 1) != 0 || !USE.compareAndSet(this, before, before + 1)) {
            return false;
        }
        if (!taken) {
            COUNT.setVolatile(counts, WEIGHT, 0);
        }
        partition = id;
        group = ofGroup;
        key = ofKey;
        reset();
        taken = true;
        use = before + 2;
        return true;
    }

    void release(long id) {
        int before = use;
        if ((before & 1) != 0 || !USE.compareAndSet(this, before, before + 1)) {
            return;
        }
        if (partition == id) {
            clear();
        }
        use = before + 2;
    }

    private void clear() {
        taken = false;
        group = null;
        key = null;
    }

    private void reset() {
        for (int kind = 0; kind < KINDS; kind++) {
            COUNT.setVolatile(counts, kind, 0);
        }
        reads = 0;
        writes = 0;
        rejectedByTable = 0;
        rejectedByKey = 0;
        share = 0;
    }

    /** Averages in the operations counted in the last {@code seconds}; the old averages keep the share {@code kept}. */
    void tick(double seconds, double kept, int standsFor) {
        int before = use;
        if (!taken || (before & 1) != 0 || !USE.compareAndSet(this, before, before + 1)) {
            return;
        }
        double scale = standsFor / seconds;
        // The averages are divided by the sum of their weights, so that they are right from a partition's first tick
        // on.
        double old = share * kept;
        share = old + (1 - kept);
        double weight = (1 - kept) / share;
        reads += weight * (take(READS) * scale - reads);
        writes += weight * (take(WRITES) * scale - writes);
        rejectedByTable += weight * (take(REJECTED_BY_TABLE) * scale - rejectedByTable);
        rejectedByKey += weight * (take(REJECTED_BY_KEY) * scale - rejectedByKey);
        COUNT.getAndAdd(counts, WEIGHT, -(int) ((1 - kept) * weight()));
        if (reads + writes + rejectedByTable + rejectedByKey < COLD * standsFor) {
            clear();
        }
        use = before + 2;
    }

    private int take(int kind) {
        return (int) COUNT.getAndSet(counts, kind, 0);
    }

    /** The slot's partition and rates, or null if the slot is empty or being changed. */
    Rates<G, K> rates() {
        int before = use;
        if ((before & 1) != 0 || !taken) {
            return null;
        }
        Rates<G, K> rates = new Rates<>(group, key, reads, writes, rejectedByTable, rejectedByKey);
        return use == before ? rates : null;
    }
}
