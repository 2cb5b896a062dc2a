// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import java.util.concurrent.atomic.AtomicReference;

/** A lock-free stack of the rounds that wait for one peer's next answer. */
final class WaitingRounds {
    private static final class Waiter {
        final AskRound round;
        final int index;
        Waiter next;

        Waiter(AskRound round, int index) {
            this.round = round;
            this.index = index;
        }
    }

    private final AtomicReference<Waiter> top = new AtomicReference<>();

    void add(AskRound round, int index) {
        push(new Waiter(round, index));
    }

    private void push(Waiter waiter) {
        do {
            waiter.next = top.get();
        } while (!top.compareAndSet(waiter.next, waiter));
    }

    /**
     * Notifies all rounds of the answer, the longest waiting first: a round that chooses the peer adds its message to
     * the estimate before the next round looks.
     */
    void release(long nowNanos) {
        for (Waiter waiter = oldestFirst(); waiter != null; waiter = waiter.next) {
            waiter.round.heard(waiter.index, nowNanos);
        }
    }

    /** Notifies all rounds that the peer cannot answer. */
    void fail(long nowNanos) {
        for (Waiter waiter = oldestFirst(); waiter != null; waiter = waiter.next) {
            waiter.round.failed(waiter.index, nowNanos);
        }
    }

    /** Removes the settled rounds: a peer that never answers would keep them for ever. */
    void dropSettled() {
        for (Waiter waiter = oldestFirst(); waiter != null; ) {
            Waiter next = waiter.next;
            if (!waiter.round.isSettled()) {
                push(waiter);
            }
            waiter = next;
        }
    }

    private Waiter oldestFirst() {
        Waiter reversed = null;
        for (Waiter waiter = top.getAndSet(null); waiter != null; ) {
            Waiter next = waiter.next;
            waiter.next = reversed;
            reversed = waiter;
            waiter = next;
        }
        return reversed;
    }
}
