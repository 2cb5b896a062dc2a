// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** Counts for tests how often a partition began to be cut, and how often one was admitted whole again. */
final class CountedCuts implements FairShare.Listener {
    int began;
    int ended;

    @Override
    public void began(WatchedPartition partition) {
        began++;
    }

    @Override
    public void ended(WatchedPartition partition) {
        ended++;
    }
}
