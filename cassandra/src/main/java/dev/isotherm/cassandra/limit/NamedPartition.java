// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.nio.ByteBuffer;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/** The table and the key of a partition. Immutable. */
final class NamedPartition {
    /** Longer keys are not kept, so that what is remembered is bounded. */
    private static final int MOST_KEY_BYTES = 1024;

    private static final String TOO_LONG = "(longer than " + MOST_KEY_BYTES + " bytes)";

    final TableMetadata table;
    /** Null if it is too long, as the token of a long key is where the partitioner orders by keys. */
    private final Token token;
    /** Null if it is too long. */
    private final ByteBuffer key;

    NamedPartition(TableMetadata table, ByteBuffer key) {
        this(table, table.partitioner.getToken(key), key);
    }

    /** @param token the key's */
    NamedPartition(TableMetadata table, Token token, ByteBuffer key) {
        this.table = table;
        this.token = token.getHeapSize() <= MOST_KEY_BYTES ? token : null;
        // A copy: the key may be a slice of the whole frame of the client's request.
        this.key = key.remaining() <= MOST_KEY_BYTES ? ByteBufferUtil.clone(key) : null;
    }

    /** The token as text; a text in parentheses where it is not kept. */
    String tokenText() {
        return token == null ? TOO_LONG : token.toString();
    }

    /** The key as text; a text in parentheses that names the token where the key is not kept. */
    String keyText() {
        return key == null ? "(token " + tokenText() + ")" : PartitionKeyText.of(table, key);
    }
}
