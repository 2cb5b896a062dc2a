// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version41;

import dev.isotherm.cassandra.version50.Cassandra50;

/** Cassandra 4.1: what the plugin needs of it is as in 5.0, but that it speaks with 3.0 and 3.11, too. */
public final class Cassandra41 extends Cassandra50 {
    @Override
    public String releaseLine() {
        return "4.1";
    }

    @Override
    public boolean allTakePaddingStates() {
        return OtherNode.allTakePaddingStates(OtherNode.inGossip());
    }
}
