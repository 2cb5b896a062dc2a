// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.locator;

import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * What {@code endpoint_snitch: IsothermSnitch} names: Cassandra looks for a bare name in its own package.
 *
 * <p>It refuses with the sentence that says which name is meant.
 */
public final class IsothermSnitch extends SimpleSnitch {
    /** Throws what has the mistake as its cause: Cassandra hands that on. */
    public IsothermSnitch() {
        ConfigurationException mistake = new ConfigurationException(
                "cassandra.yaml: endpoint_snitch: IsothermSnitch is refused; allowed: dev.isotherm.IsothermSnitch",
                false);
        throw new IllegalStateException(mistake.getMessage(), mistake);
    }
}
