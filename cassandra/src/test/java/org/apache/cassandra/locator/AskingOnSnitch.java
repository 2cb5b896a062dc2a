// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.locator;

/** A snitch that asks another, from a frame that is not the plugin's. */
public final class AskingOnSnitch extends SimpleSnitch {
    private final IEndpointSnitch other;

    public AskingOnSnitch(IEndpointSnitch other) {
        this.other = other;
    }

    @Override
    public String getDatacenter(Replica replica) {
        return other.getDatacenter(replica);
    }
}
