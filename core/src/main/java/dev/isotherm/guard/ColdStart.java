// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** Whether a node that may have begun with a cold cache has it still, as far as its reads tell. For one thread. */
/*
 * On its way from cold to warm each node crosses the bound from which on it is slow, and again and again by the chance
 * of a few reads: it is warm when it was far below that for some time.
 */
final class ColdStart {
    static final int WARM_SECONDS = 10;

    private boolean cold;
    private int warmSeconds;

    ColdStart(boolean mayBeCold) {
        this.cold = mayBeCold;
    }

    boolean isCold() {
        return cold;
    }

    /**
     * Takes a second whose reads tell.
     *
     * @param farFromSlow whether they took about as long as elsewhere
     */
    void second(boolean farFromSlow) {
        warmSeconds = farFromSlow ? warmSeconds + 1 : 0;
        cold &= warmSeconds < WARM_SECONDS;
    }
}
