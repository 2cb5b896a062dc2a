// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When a node that would lead a write has another replica lead it, to learn how fast the others are. Thread safe,
 * lock-free, allocation-free.
 *
 * <p>A node whose queue is short leads nearly all that it coordinates. Where it alone coordinates, the others lead
 * nothing and have no service time to tell, and a slow node never learns that it is one. Therefore one write a second
 * is another's, for as long as no other node has told a time lately and writes take the node longer than what counts as
 * fast.
 */
public final class SpeedComparison {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long fastNanos;
    private final long rememberedNanos;
    private final AtomicLong nextNanos;
    private volatile long heardNanos;

    /**
     * @param fastNanos service times up to this are equally fast, 1 or above
     * @param rememberedNanos for how long a time that another node has told is known, 1 or above
     */
    public SpeedComparison(long fastNanos, long rememberedNanos, long nowNanos) {
        if (fastNanos < 1) {
            throw Allowed.refusal("fastNanos", fastNanos, "1 or above");
        }
        if (rememberedNanos < 1) {
            throw Allowed.refusal("rememberedNanos", rememberedNanos, "1 or above");
        }
        this.fastNanos = fastNanos;
        this.rememberedNanos = rememberedNanos;
        this.heardNanos = nowNanos - rememberedNanos;
        this.nextNanos = new AtomicLong(nowNanos);
    }

    /** Notes another node's reported mean service time; 0 or below: unknown. */
    public void heard(long serviceNanos, long nowNanos) {
        if (serviceNanos > 0) {
            heardNanos = nowNanos;
        }
    }

    /**
     * Whether a write that this node would lead is to be led by another replica. True for one caller a second at most.
     *
     * @param serviceNanos this node's mean service time; 0 or below: unknown
     */
    public boolean claim(long serviceNanos, long nowNanos) {
        if (serviceNanos <= fastNanos || nowNanos - heardNanos < rememberedNanos) {
            return false;
        }
        long next = nextNanos.get();
        return nowNanos - next >= 0 && nextNanos.compareAndSet(next, nowNanos + INTERVAL_NANOS);
    }
}
