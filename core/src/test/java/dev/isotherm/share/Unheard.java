// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** A listener for tests that look at the shares alone. */
final class Unheard implements FairShare.Listener {
    @Override
    public void began(WatchedPartition partition) {}

    @Override
    public void ended(WatchedPartition partition) {}
}
