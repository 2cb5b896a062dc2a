// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** What a {@link PlanStore} keeps: it knows whether it still holds, and what it takes on the heap. */
public abstract class StoredPlan {
    /** Written without a lock: a read that is lost costs at most a plan built anew. */
    private boolean used = true;

    /** Whether the inputs of the plan have not changed. Asked for each read. */
    protected abstract boolean isCurrent();

    /** What the plan takes on the heap, its key included; the same at each call. */
    protected abstract long bytes();

    final void use() {
        if (!used) {
            used = true;
        }
    }

    /** Whether the plan was used since the last call. */
    final boolean wasUsed() {
        boolean was = used;
        used = false;
        return was;
    }
}
