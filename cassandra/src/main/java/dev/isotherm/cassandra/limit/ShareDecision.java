// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.wire.CustomParams;
import java.nio.ByteBuffer;
import org.apache.cassandra.net.Message;

/**
 * By what a coordinator has decided about the present statement.
 *
 * <p>Wire form, big-endian: the random number (4 bytes) and for how many operations the statement's stands (4).
 */
final class ShareDecision implements StatementScope.Part {
    static final String PARAM = "isotherm.share";
    private static final int BYTES = 2 * Integer.BYTES;

    private boolean decided;
    private long partition;
    private int random;
    private int weight;

    void set(long partition, int random, int weight) {
        this.decided = true;
        this.partition = partition;
        this.random = random;
        this.weight = weight;
    }

    boolean isDecided() {
        return decided;
    }

    /** Whether it is about this partition. */
    boolean isAbout(long other) {
        return decided && partition == other;
    }

    /** For the message to a replica; null if nothing has been decided. */
    byte[] encode() {
        return decided
                ? ByteBuffer.allocate(BYTES).putInt(random).putInt(weight).array()
                : null;
    }

    /** What the message carries; null if that is nothing that can be read. */
    static ByteBuffer of(Message<?> message) {
        byte[] value = CustomParams.of(message, PARAM);
        return value == null || value.length != BYTES ? null : ByteBuffer.wrap(value);
    }

    @Override
    public void clear() {
        decided = false;
    }
}
