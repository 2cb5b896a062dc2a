// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.locator;

/** A snitch that delegates to another snitch from a frame outside the plugin. */
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
