// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PlanStoreTest {
    private static final int KIB = 1024;

    private static final class Plan extends StoredPlan {
        final long bytes;
        volatile boolean current = true;

        Plan(long bytes) {
            this.bytes = bytes;
        }

        @Override
        protected boolean isCurrent() {
            return current;
        }

        @Override
        protected long bytes() {
            return bytes;
        }
    }

    private final List<Plan> ended = new ArrayList<>();
    private final PlanStore<Integer, Plan> store = new PlanStore<>(10 * KIB, ended::add);

    private Plan put(int key) {
        Plan plan = new Plan(KIB - 100);
        store.put(key, plan);
        return plan;
    }

    @Test
    void anOutdatedPlanIsNotFound() {
        Plan plan = put(1);
        assertSame(plan, store.current(1));
        assertNull(store.current(2));
        plan.current = false;
        assertNull(store.current(1));
    }

    @Test
    void aReplacedPlanEndsAtTheSecondRelease() {
        Plan first = put(1);
        long one = store.bytes();
        Plan second = put(1);
        assertEquals(2 * one, store.bytes());
        List<Plan> seen = new ArrayList<>();
        store.forEach(seen::add);
        assertEquals(List.of(second, first), seen);
        store.release();
        assertEquals(List.of(), ended);
        store.release();
        assertEquals(List.of(first), ended);
        assertEquals(one, store.bytes());
    }

    @Test
    void aLowerBoundDropsPlansAtOnceAndAHigherOneKeepsMore() {
        for (int key = 0; key < 8; key++) {
            put(key);
        }
        assertEquals(8, store.size());
        store.limit(3 * KIB);
        assertEquals(3, store.size());
        assertEquals(5, ended.size());
        assertTrue(store.bytes() <= 3 * KIB);
        store.limit(5 * KIB);
        for (int key = 8; key < 16; key++) {
            put(key);
        }
        assertEquals(5, store.size());
        assertThrows(IllegalArgumentException.class, () -> store.limit(0));
    }

    @Test
    void aRemovedPlanEndsToo() {
        Plan plan = put(1);
        put(2);
        store.removeIf((key, each) -> key == 1);
        assertNull(store.current(1));
        assertNotNull(store.current(2));
        store.release();
        store.release();
        assertEquals(List.of(plan), ended);
    }

    @Test
    void whatWasNotUsedLatelyIsDroppedFirst() {
        for (int key = 0; key < 10; key++) {
            put(key);
        }
        // All are new and count as used: this takes the mark from all and drops one.
        put(10);
        assertEquals(1, ended.size());
        List<Plan> used = new ArrayList<>();
        for (int key = 0; key <= 10; key += 2) {
            Plan plan = store.current(key);
            if (plan != null) {
                used.add(plan);
            }
        }
        for (int key = 11; key < 14; key++) {
            put(key);
        }
        assertEquals(4, ended.size());
        for (Plan plan : used) {
            assertTrue(!ended.contains(plan), "a plan that was used");
        }
        assertTrue(store.bytes() <= 10 * KIB);
    }

    @Test
    void noPutGoesRoundAllPlans() {
        PlanStore<Integer, Plan> full = new PlanStore<>(1_000 * KIB, ended::add);
        List<Plan> plans = new ArrayList<>();
        for (int key = 0; ended.isEmpty(); key++) {
            Plan plan = new Plan(KIB - 100);
            full.put(key, plan);
            plans.add(plan);
        }
        // All are new and count as used; those that the hand has passed over no longer do.
        long passed = plans.stream().filter(plan -> !plan.wasUsed()).count();
        assertTrue(plans.size() > 900, plans.size() + " plans");
        assertTrue(passed <= 65, passed + " passed");
    }

    /** Whatever is put, removed, used and released: the bytes are the sum over all plans, and within the bound. */
    @Property(tries = 300, seed = "72")
    void bytesAreBoundedAndAddUp(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        AtomicLong left = new AtomicLong();
        PlanStore<Integer, Plan> full = new PlanStore<>(20 * KIB, plan -> left.addAndGet(plan.bytes));
        long entered = 0;
        for (int step = 0; step < 300; step++) {
            int key = random.nextInt(40);
            Plan plan = full.current(key);
            int kind = random.nextInt(10);
            if (kind < 6 && (plan == null || kind < 3)) {
                Plan fresh = new Plan(random.nextInt(2 * KIB));
                entered += fresh.bytes;
                full.put(key, fresh);
            } else if (kind == 7) {
                full.release();
            } else if (kind == 8) {
                full.removeIf((each, ignored) -> each % 7 == key % 7);
            }
            long[] held = new long[2];
            full.forEach(each -> {
                held[0] += each.bytes;
                held[1]++;
            });
            assertEquals(entered - left.get(), held[0]);
            assertTrue(full.bytes() <= 20 * KIB, () -> full.bytes() + " bytes");
            assertTrue(full.bytes() >= held[0] + 30 * held[1]);
        }
    }

    @Test
    void threadsNeitherExceedTheBoundNorLoseAPlan() throws Exception {
        AtomicLong entered = new AtomicLong();
        AtomicLong left = new AtomicLong();
        PlanStore<Integer, Plan> shared = new PlanStore<>(20 * KIB, plan -> left.addAndGet(plan.bytes));
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            SplittableRandom random = new SplittableRandom(thread);
            running.add(threads.submit(() -> {
                for (int i = 0; i < 50_000; i++) {
                    int key = random.nextInt(60);
                    if (shared.current(key) == null || i % 8 == 0) {
                        Plan plan = new Plan(random.nextInt(KIB));
                        entered.addAndGet(plan.bytes);
                        shared.put(key, plan);
                    }
                    if (i % 100 == 0) {
                        shared.release();
                        assertTrue(shared.bytes() <= 20 * KIB);
                    }
                }
            }));
        }
        for (Future<?> thread : running) {
            thread.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();
        AtomicLong held = new AtomicLong();
        shared.forEach(plan -> held.addAndGet(plan.bytes));
        assertEquals(entered.get(), left.get() + held.get());
    }

    @Test
    void aPlanWithoutRoomIsNotKept() {
        store.put(1, new Plan(11 * KIB));
        assertEquals(0, store.size());
        assertEquals(0, store.bytes());
        assertThrows(IllegalArgumentException.class, () -> new PlanStore<Integer, Plan>(0, plan -> {}));
    }
}
