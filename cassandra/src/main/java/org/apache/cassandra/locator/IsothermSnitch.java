// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.locator;

import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The class that {@code endpoint_snitch: IsothermSnitch} names: Cassandra looks for a bare name in its own package.
 *
 * <p>It refuses to start with a sentence that states the right name.
 */
public final class IsothermSnitch extends SimpleSnitch {
    /** Throws an exception whose cause is the mistake: Cassandra reports the cause. */
    public IsothermSnitch() {
        ConfigurationException mistake = new ConfigurationException(
                "cassandra.yaml: endpoint_snitch: IsothermSnitch is refused; allowed: dev.isotherm.IsothermSnitch",
                false);
        throw new IllegalStateException(mistake.getMessage(), mistake);
    }
}
