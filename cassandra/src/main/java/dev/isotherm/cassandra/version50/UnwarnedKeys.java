// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version50;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.service.ClientWarn;

/**
 * Works out the partition keys of a statement for the plugin without a warning for the client.
 *
 * <p>A guardrail warns of the size of an IN each time that its keys are worked out; the client is to read what
 * Cassandra says when it works them out itself. What the guardrail refuses is refused here too. Traces and the log may
 * have its sentence more than once.
 */
final class UnwarnedKeys {
    private UnwarnedKeys() {}

    static List<ByteBuffer> of(Supplier<List<ByteBuffer>> keys) {
        // The object itself, as it may be the plugin's own that watches the thread's tasks.
        ExecutorLocals ofThread = ExecutorLocals.current();
        ClientWarn.instance.set(null);
        try {
            return keys.get();
        } finally {
            ofThread.close();
        }
    }
}
