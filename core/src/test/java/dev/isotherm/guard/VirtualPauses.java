// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.MS;
import static dev.isotherm.guard.VirtualReads.SECOND;

/** A node of a virtual cluster whose process stands still again and again. */
final class VirtualPauses {
    private VirtualPauses() {}

    /** Runs the cluster while the node's process stands still for 0.3 s each two seconds. */
    static void run(VirtualReads cluster, int node, int fromSecond, int toSecond) {
        for (int second = fromSecond; second < toSecond; second += 2) {
            cluster.runUntil(second * SECOND);
            cluster.nodes.get(node).frozen = true;
            cluster.runUntil(second * SECOND + 300 * MS);
            cluster.nodes.get(node).thaw();
        }
    }
}
