// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the plugin's failures and logs each kind at most once a minute.
 *
 * <p>The request of a recorded failure continues as in plain Cassandra.
 */
public final class Failures {
    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");

    private final LongAdder count = new LongAdder();

    /**
     * Counts a failure and logs it.
     *
     * @param consequence the effect of the failure, a constant sentence: it is also the key of the rate limit
     * @param cause the exception
     */
    public void record(String consequence, Throwable cause) {
        count.increment();
        NoSpamLogger.log(
                logger, NoSpamLogger.Level.WARN, 1, TimeUnit.MINUTES, consequence + ": {}", cause.toString(), cause);
    }

    /**
     * As {@link #record}, for a thread that has to go on in any case: where there is no memory, there is none for a
     * line in the log either.
     */
    public void recordIfPossible(String consequence, Throwable cause) {
        try {
            record(consequence, cause);
        } catch (Throwable nothingMoreCanBeDone) {
            // The next time is in a while.
        }
    }

    /** Failures since the node started. */
    public long count() {
        return count.sum();
    }
}
