// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.wire.CustomParams;
import dev.isotherm.share.ToldPart;
import dev.isotherm.share.WatchedPartition;
import dev.isotherm.share.Weight;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.schema.TableMetadata;

/**
 * A coordinator's decision about the present statement, and by what it was made.
 *
 * <p>Wire form, big-endian: the number by which it decided (4 bytes) and for how many operations the statement's stands
 * (4). Of a read, see {@link UnmarkedReads} for the others.
 */
final class ShareDecision implements StatementScope.Part {
    static final String PARAM = "isotherm.share";
    /** The operations for which a further message of a statement stands: its replica has decided about the first. */
    static final int DECIDED_BEFORE = 0;

    private static final int BYTES = 2 * Integer.BYTES;

    private boolean decided;
    /** Whether some shares, of this node or as replicas have told them, have decided. */
    private boolean byShares;

    private long partition;
    private int random;
    private int weight;
    /** The replicas that have got a message of the statement; the first so many. */
    private InetAddressAndPort[] contacted = new InetAddressAndPort[4];

    private int contacts;

    /** The partition's token if its reads are to be spread over replicas that are alike; null if they are not. */
    private Token spreadToken;

    private long spreadSeed;

    /** Whether replicas are believed to admit a part of the operations alone. */
    private boolean isToldPartly;

    /** Whether shares of a saturated replica decide about that partition. */
    private boolean cuts;

    /**
     * Decides about the present statement.
     *
     * @param id the partition's operations of this kind
     * @param watched the partition, if this node's shares of the pool decide about it; null if it is admitted here
     * @param number any 32 bits, by which the replicas decide where nobody decides here
     * @return what refuses the statement; null if it is admitted
     */
    WatchedPartition refusing(
            StatementScope scope,
            FairPool pool,
            TableMetadata table,
            Token token,
            long id,
            WatchedPartition watched,
            int number) {
        int standsFor = 1;
        int decides = number;
        if (watched != null) {
            // A client without permission on the table must not learn of its load, nor ask for a part of it.
            if (!Permitted.isPermitted(scope)) {
                return null;
            }
            standsFor = pool.isEnforced()
                    ? watched.weight(ThreadLocalRandom.current().nextDouble())
                    : 1;
            decides = watched.nextNumber();
            WatchedPartition refusing = pool.refusing(table, token, id, decides, 1);
            if (refusing != null) {
                return refusing;
            }
        }
        admitted(id, decides, standsFor, watched != null);
        return null;
    }

    private void admitted(long id, int number, int standsFor, boolean shares) {
        decided = true;
        byShares = shares;
        contacts = 0;
        partition = id;
        random = number;
        weight = standsFor;
    }

    /**
     * Decides about the present statement where this node's shares do not: by what the replicas have told.
     *
     * @param id the partition's operations of this kind
     * @param part the part of them that the replicas are believed to admit
     * @param number any 32 bits, by which the replicas decide too
     * @return whether it is refused
     */
    boolean refusesAsTold(StatementScope scope, long id, double part, int number) {
        isToldPartly = part < 1;
        admitted(id, number, 1, true);
        return refusesAsToldToo(scope, part, 1);
    }

    /**
     * Decides once more about a statement that this node has admitted: by what the replicas have told.
     *
     * @param part the part of the partition's operations that they are believed to admit
     * @param ownPart the part that this node's shares admit; 1 if they do not decide
     * @return whether it is refused
     */
    boolean refusesAsToldToo(StatementScope scope, double part, double ownPart) {
        if (part >= ownPart || !Permitted.isPermitted(scope)) {
            return false;
        }
        if (ToldPart.refuses(part, random)) {
            decided = false;
            return true;
        }
        weight = Weight.of(part, ThreadLocalRandom.current().nextDouble());
        return false;
    }

    /**
     * Lets the statement's reads of the partition meet in random order the replicas that are alike.
     *
     * @param isCut whether this node's shares decide about it; those of others do if they are believed to
     */
    void spread(Token token, boolean isCut) {
        spreadToken = token;
        spreadSeed = ThreadLocalRandom.current().nextLong();
        cuts = isCut || isToldPartly;
    }

    /** The seed of the order in which all reads of the statement meet the replicas: each decides about its first. */
    long spreadSeed() {
        return spreadSeed;
    }

    /** Whether shares of a saturated replica decide about the partition with this token. */
    boolean cuts(Token token) {
        return cuts && token.equals(spreadToken);
    }

    /** Whether reads of the partition with this token are spread. */
    boolean spreads(Token token) {
        return token.equals(spreadToken);
    }

    boolean isDecided() {
        return decided;
    }

    /** Whether it is about this partition. */
    boolean isAbout(long other) {
        return decided && partition == other;
    }

    /** The value for the message to a replica; null if nothing has been decided. */
    byte[] encode() {
        return decided ? encode(weight) : null;
    }

    /**
     * The value for the message with a read to a replica, which may get several of a statement: the data after digests
     * that differ, the rows of another page. The replica decides about the first, and refuses or serves the others as
     * that one. Null where the replica is to decide about the first by itself; then it serves the others in any case.
     * Call it where something has been decided.
     */
    byte[] encode(InetAddressAndPort replica) {
        if (!isFirst(replica)) {
            return encode(DECIDED_BEFORE);
        }
        return byShares ? encode(weight) : null;
    }

    private byte[] encode(int standsFor) {
        return ByteBuffer.allocate(BYTES).putInt(random).putInt(standsFor).array();
    }

    private boolean isFirst(InetAddressAndPort replica) {
        for (int i = 0; i < contacts; i++) {
            if (contacted[i].equals(replica)) {
                return false;
            }
        }
        if (contacts == contacted.length) {
            contacted = Arrays.copyOf(contacted, 2 * contacts);
        }
        contacted[contacts++] = replica;
        return true;
    }

    /**
     * The decision about a write in what its message carries; null if that is none.
     *
     * @param unreadable counts what is neither a decision nor nothing
     */
    static ByteBuffer ofWrite(Message<?> message, UnreadableValues unreadable) {
        return of(message.from(), CustomParams.of(message, PARAM), unreadable);
    }

    /** The decision about a read, likewise, in the value of its parameter. */
    static ByteBuffer ofRead(InetAddressAndPort from, byte[] value, UnreadableValues unreadable) {
        return UnmarkedReads.isOfUndecided(value) ? null : of(from, value, unreadable);
    }

    private static ByteBuffer of(InetAddressAndPort from, byte[] value, UnreadableValues unreadable) {
        if (value == null || value.length == BYTES) {
            return value == null ? null : ByteBuffer.wrap(value);
        }
        unreadable.ignore(
                "How a coordinator has decided by fair shares was malformed and is ignored",
                from,
                new IllegalArgumentException(value.length + " bytes"));
        return null;
    }

    @Override
    public void clear() {
        decided = false;
        spreadToken = null;
        cuts = false;
        isToldPartly = false;
    }
}
