// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.innode;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * Timeouts of reads, writes and counter updates of this process's node that no pause of the machine passes, until they
 * are put back.
 */
public final class LongTimeouts {
    private static final long MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final long read = DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MILLISECONDS);
    private final long write = DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.MILLISECONDS);
    private final long counterWrite = DatabaseDescriptor.getCounterWriteRpcTimeout(TimeUnit.MILLISECONDS);

    private LongTimeouts() {
        DatabaseDescriptor.setReadRpcTimeout(MILLIS);
        DatabaseDescriptor.setWriteRpcTimeout(MILLIS);
        DatabaseDescriptor.setCounterWriteRpcTimeout(MILLIS);
    }

    /** Lengthens them; the node runs. */
    public static LongTimeouts begin() {
        return new LongTimeouts();
    }

    /** Puts back what was. */
    public void end() {
        DatabaseDescriptor.setReadRpcTimeout(read);
        DatabaseDescriptor.setWriteRpcTimeout(write);
        DatabaseDescriptor.setCounterWriteRpcTimeout(counterWrite);
    }
}
