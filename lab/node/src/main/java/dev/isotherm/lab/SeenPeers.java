// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.service.StorageService;

/**
 * What this node knows of its peers. A peer that it sees alive may not yet have told that it has joined, and is no
 * replica of anything here until then.
 */
final class SeenPeers {
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(50);

    private SeenPeers() {}

    /** {@code <count>}: returns when this node sees that many live nodes, itself included, all of which have joined. */
    static void await(String count) throws InterruptedException {
        StorageService service = StorageService.instance;
        int wanted = Integer.parseInt(count);
        long deadline = System.nanoTime() + WAIT_NANOS;
        while (true) {
            Collection<String> alive = service.getLiveNodesWithPort();
            Collection<String> joining = service.getJoiningNodesWithPort();
            Set<String> joined =
                    Set.copyOf(service.getTokenToEndpointWithPortMap().values());
            if (areReplicas(wanted, alive, joined, joining)) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("seen alive are not " + wanted + " that have joined, but these: "
                        + alive + "; joining are " + joining + ", with tokens " + joined);
            }
            Thread.sleep(50);
        }
    }

    /** Whether so many nodes live, and each has tokens, which Cassandra also names of nodes that are joining. */
    static boolean areReplicas(
            int wanted, Collection<String> alive, Collection<String> withTokens, Collection<String> joining) {
        return alive.size() == wanted
                && withTokens.containsAll(alive)
                && alive.stream().noneMatch(joining::contains);
    }
}
