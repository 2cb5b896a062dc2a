// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * Plans by key, within a number of bytes. Thread safe; finding a plan takes no lock and allocates nothing.
 *
 * <p>A plan that is replaced or removed counts until the second {@link #release} after that, so that reads which have
 * found it can finish with it; if there is no room, it leaves at once.
 */
public final class PlanStore<K, P extends StoredPlan> {
    /*
     * Which plans to drop is decided as by the hand of a clock that goes round all plans: it passes over a plan that
     * was used since its last round, and drops one that was not. A plan that reads use every now and then stays, and
     * finding a plan costs no more than setting a flag.
     */
    /** An entry of the map and its place in the map's table, which is at most three quarters full. */
    private static final long ENTRY_BYTES = HeapBytes.object(4 + 3 * HeapBytes.REFERENCE) + HeapBytes.REFERENCE * 8 / 3;

    /** The hand passes over no more plans than this, so that no read waits for its whole round. */
    private static final int MOST_PASSED = 64;

    private long mostBytes;
    private final Consumer<P> atEnd;
    private final Map<K, P> plans = new ConcurrentHashMap<>();
    private final Deque<P> leaving = new ArrayDeque<>();
    private int leavingSinceBefore;
    private Iterator<Map.Entry<K, P>> hand = plans.entrySet().iterator();
    private long bytes;

    /**
     * @param mostBytes what all plans together may take, 1 or above
     * @param atEnd receives each plan that reads no longer find
     */
    public PlanStore(long mostBytes, Consumer<P> atEnd) {
        this.atEnd = atEnd;
        limit(mostBytes);
    }

    /**
     * Bounds the plans anew, and drops those for which there is no room any more.
     *
     * @param most what all plans together may take, bytes, 1 or above
     */
    public final synchronized void limit(long most) {
        if (most < 1) {
            throw Allowed.refusal("mostBytes", most, "1 or above");
        }
        mostBytes = most;
        makeRoom();
    }

    /** The plan of that key, or null if there is none that is current. */
    public P current(K key) {
        P plan = plans.get(key);
        if (plan == null || !plan.isCurrent()) {
            return null;
        }
        plan.use();
        return plan;
    }

    /** Puts a plan in the place of the key's plan, if there is one, and drops others if there is no room. */
    public synchronized void put(K key, P plan) {
        bytes += bytesOf(plan);
        P replaced = plans.put(key, plan);
        if (replaced != null) {
            leaving.add(replaced);
        }
        makeRoom();
    }

    private void makeRoom() {
        while (bytes > mostBytes && !leaving.isEmpty()) {
            end(leaving.remove());
            leavingSinceBefore = Math.max(0, leavingSinceBefore - 1);
        }
        int passed = 0;
        while (bytes > mostBytes && !plans.isEmpty()) {
            passed = dropsAtHand(passed == MOST_PASSED) ? 0 : Math.min(MOST_PASSED, passed + 1);
        }
    }

    /** Moves the hand, and drops the plan there if no read has used it since the last round, or in any case. */
    private boolean dropsAtHand(boolean inAnyCase) {
        if (!hand.hasNext()) {
            hand = plans.entrySet().iterator();
        }
        if (!hand.hasNext()) {
            return false;
        }
        Map.Entry<K, P> entry = hand.next();
        boolean isDropped = !entry.getValue().wasUsed() || inAnyCase;
        if (isDropped && plans.remove(entry.getKey(), entry.getValue())) {
            end(entry.getValue());
            return true;
        }
        return false;
    }

    /** Removes the plans that fulfil a condition. */
    public void removeIf(BiPredicate<K, P> condition) {
        // The conditions are not asked under the lock: reads that build plans need not wait for them.
        plans.forEach((key, plan) -> {
            if (condition.test(key, plan)) {
                remove(key, plan);
            }
        });
    }

    private synchronized void remove(K key, P plan) {
        if (plans.remove(key, plan)) {
            leaving.add(plan);
        }
    }

    /** Ends the plans that had been replaced or removed before the last call. */
    public synchronized void release() {
        while (leavingSinceBefore > 0) {
            end(leaving.remove());
            leavingSinceBefore--;
        }
        leavingSinceBefore = leaving.size();
    }

    private void end(P plan) {
        bytes -= bytesOf(plan);
        atEnd.accept(plan);
    }

    private static long bytesOf(StoredPlan plan) {
        return plan.bytes() + ENTRY_BYTES;
    }

    /** Passes on every plan, also those that were replaced or removed and have not ended. */
    public void forEach(Consumer<P> consumer) {
        plans.values().forEach(consumer);
        synchronized (this) {
            leaving.forEach(consumer);
        }
    }

    /** What all plans take on the heap, those included that have not ended. */
    public synchronized long bytes() {
        return bytes;
    }

    /** The number of plans that can be found. */
    public int size() {
        return plans.size();
    }
}
