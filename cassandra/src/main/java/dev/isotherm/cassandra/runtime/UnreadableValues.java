// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What other nodes say and cannot be read here, as what a later build says: ignored, counted, and logged with the node,
 * each kind at most once a minute. It is no failure of the plugin.
 */
public final class UnreadableValues {
    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");

    private final LongAdder count = new LongAdder();

    /**
     * @param consequence the effect, a constant sentence: it is also the key of the rate limit
     * @param node who says what is ignored
     */
    public void ignore(String consequence, InetAddressAndPort node, Throwable cause) {
        count.increment();
        NoSpamLogger.log(
                logger,
                NoSpamLogger.Level.WARN,
                1,
                TimeUnit.MINUTES,
                consequence + ", from {}: {}",
                node,
                cause.getMessage());
    }

    /** Values that could not be read, since the node started. */
    public long count() {
        return count.sum();
    }
}
