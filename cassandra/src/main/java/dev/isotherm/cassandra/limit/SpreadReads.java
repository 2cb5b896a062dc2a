// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Rearranged;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.runtime.TransientReplicas;
import dev.isotherm.share.AlikeReplicas;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Spreads the reads of a large partition over those of its replicas among which the operator's snitch has no
 * preference.
 */
public final class SpreadReads {
    private final BooleanSupplier hasShares;
    private final StatementScope.Slot<ShareDecision> slot;
    private final IEndpointSnitch snitch;

    /**
     * @param hasShares whether reads have fair shares; without these no partition counts as large
     * @param snitch the operator's own snitch
     */
    SpreadReads(BooleanSupplier hasShares, StatementScope.Slot<ShareDecision> slot, IEndpointSnitch snitch) {
        this.hasShares = hasShares;
        this.slot = slot;
        this.snitch = snitch;
    }

    /**
     * The replicas in the order in which the present statement should contact them.
     *
     * @param coordinator this node
     * @param inOrder in the order of a snitch; the same object unless they hold a large partition that the
     *     statement reads, and are all full
     */
    public EndpointsForToken spread(InetAddressAndPort coordinator, EndpointsForToken inOrder) {
        if (inOrder.size() < 2 || !hasShares.getAsBoolean()) {
            return inOrder;
        }
        ShareDecision decided = StatementScope.current().part(slot);
        if (!decided.spreads(inOrder.token()) || TransientReplicas.areAmong(inOrder)) {
            return inOrder;
        }
        int[] places = new int[inOrder.size()];
        boolean moved = AlikeReplicas.shuffle(
                at -> snitch.compareEndpoints(coordinator, inOrder.get(at), inOrder.get(at + 1)) == 0,
                new SplittableRandom(decided.spreadSeed())::nextInt,
                places);
        return moved ? Rearranged.of(inOrder, places) : inOrder;
    }
}
