// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;

/** Timeouts of this process's node that no pause of the machine passes, until they are put back. */
final class LongTimeouts {
    private static final long MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final long write = DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.MILLISECONDS);
    private final long counterWrite = DatabaseDescriptor.getCounterWriteRpcTimeout(TimeUnit.MILLISECONDS);

    private LongTimeouts() {
        DatabaseDescriptor.setWriteRpcTimeout(MILLIS);
        DatabaseDescriptor.setCounterWriteRpcTimeout(MILLIS);
    }

    /** Lengthens those of writes and counter updates; the node runs. */
    static LongTimeouts ofWrites() {
        return new LongTimeouts();
    }

    /** Puts back what was. */
    void end() {
        DatabaseDescriptor.setWriteRpcTimeout(write);
        DatabaseDescriptor.setCounterWriteRpcTimeout(counterWrite);
    }
}
