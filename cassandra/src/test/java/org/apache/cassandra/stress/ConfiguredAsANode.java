// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.stress;

import java.util.function.Supplier;

/** A class of the package of compaction-stress, which loads the configuration as a node does. */
public final class ConfiguredAsANode {
    private ConfiguredAsANode() {}

    public static <T> T load(Supplier<T> configuration) {
        return configuration.get();
    }
}
