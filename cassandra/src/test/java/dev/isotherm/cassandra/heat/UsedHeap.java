// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

/** What this process holds on the heap. */
final class UsedHeap {
    private UsedHeap() {}

    /** The bytes in use after collections. */
    static long bytes() throws InterruptedException {
        for (int collection = 0; collection < 3; collection++) {
            System.gc();
            Thread.sleep(50);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
