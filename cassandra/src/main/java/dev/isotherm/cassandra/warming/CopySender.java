// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import dev.isotherm.cassandra.runtime.NaturalReplicas;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.runtime.WarmingListener;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.common.MalformedReportException;
import dev.isotherm.warming.Invitation;
import dev.isotherm.warming.Invitations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;

/**
 * Copies reads that leave this coordinator to the cold nodes that have asked for them, and takes in what other nodes
 * ask and copy. Nobody waits for a copy, and it has no answer.
 */
final class CopySender {
    static final String INVITATION = "isotherm.warming";

    private static final String COPY = "isotherm.copied_read";
    /** A cold node repeats its invitation each second. */
    private static final long INVITATION_LIFE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final InetAddressAndPort self;
    private final OwnMessages messages;
    private final CopiedReads copies;
    private final Predicate<InetAddressAndPort> avoided;
    private final BiPredicate<InetAddressAndPort, EndpointsForToken> homes;
    private final Predicate<InetAddressAndPort> understands;
    private final WarmingListener listener;
    private final UncopiedReads uncopied = new UncopiedReads();
    private final Invitations<InetAddressAndPort, TableId> invitations = new Invitations<>(INVITATION_LIFE_NANOS);
    private final LongAdder sent = new LongAdder();
    private final UnreadableValues unreadable = new UnreadableValues();

    /**
     * @param avoided whether reads of this coordinator avoid the node
     * @param homes whether a living replica, of these replicas, is to have the partition in its caches that the present
     *     statement reads
     * @param understands whether a node may read the copies that this one makes
     * @param listener hears of the nodes that copies of this coordinator's reads warm
     */
    CopySender(
            InetAddressAndPort self,
            OwnMessages messages,
            CopiedReads copies,
            Predicate<InetAddressAndPort> avoided,
            BiPredicate<InetAddressAndPort, EndpointsForToken> homes,
            Predicate<InetAddressAndPort> understands,
            WarmingListener listener) {
        this.self = self;
        this.messages = messages;
        this.copies = copies;
        this.avoided = avoided;
        this.homes = homes;
        this.understands = understands;
        this.listener = listener;
    }

    void install(WireHandlers handlers, RuntimeSwitch enabled) {
        handlers.watch(List.of(Verb.READ_REQ), "A read is not copied to a cold node", (message, to) -> {
            if (!invitations.isEmpty() && enabled.isOn()) {
                offer(message, to);
            }
        });
        handlers.hear(INVITATION, "What a cold node asks for is not known here", (message, value) -> {
            try {
                Invitation invitation = Invitation.decode(value);
                Set<TableId> tables =
                        invitation.tables().stream().map(TableId::fromUUID).collect(Collectors.toSet());
                if (enabled.isOn()) {
                    invited(message.from(), invitation.fraction(), tables, System.nanoTime());
                }
            } catch (MalformedReportException e) {
                unreadable.ignore("What a cold node asks for was malformed and is ignored", message.from(), e);
            }
        });
        handlers.hear(COPY, "A copy of a read is not served", (message, value) -> {
            if (enabled.isOn()) {
                take(message.from(), value);
            }
        });
    }

    /** Forgets what is not asked for any more. */
    void expire(long nowNanos) {
        for (InetAddressAndPort node : invitations.expire(nowNanos)) {
            uncopied.forget(node);
            listener.warmed(node, Set.of());
        }
    }

    /** Notes what a node asks for. */
    void invited(InetAddressAndPort node, double fraction, Set<TableId> tables, long nowNanos) {
        invitations.invited(node, fraction, tables, nowNanos);
        listener.warmed(node, understands.test(node) ? uncopied.copiedOf(node, tables) : Set.of());
    }

    private void take(InetAddressAndPort from, byte[] value) {
        SinglePartitionReadCommand read;
        try {
            read = ReadOnWire.decode(value);
        } catch (IOException | RuntimeException | AssertionError e) {
            copies.refuse();
            unreadable.ignore("A copy of a read cannot be read here and is ignored", from, e);
            return;
        }
        copies.take(read);
    }

    private void offer(Message<?> message, InetAddressAndPort to) {
        if (!(message.payload instanceof SinglePartitionReadCommand)) {
            return;
        }
        SinglePartitionReadCommand read = (SinglePartitionReadCommand) message.payload;
        if (!invitations.mayWant(read.metadata().id)) {
            return;
        }
        EndpointsForToken replicas =
                NaturalReplicas.of(read.metadata(), read.partitionKey().getToken());
        InetAddressAndPort cold = invitations.choose(
                read.metadata().id,
                () -> ThreadLocalRandom.current().nextDouble(),
                System.nanoTime(),
                new ReplicasOfRead(read, to, replicas));
        if (cold != null) {
            copy(read, cold);
        }
    }

    /** The replicas of a read that leaves for one of them. */
    private final class ReplicasOfRead implements Invitations.Replicas<InetAddressAndPort> {
        private final SinglePartitionReadCommand read;
        private final InetAddressAndPort to;
        private final EndpointsForToken replicas;

        ReplicasOfRead(SinglePartitionReadCommand read, InetAddressAndPort to, EndpointsForToken replicas) {
            this.read = read;
            this.to = to;
            this.replicas = replicas;
        }

        @Override
        public int count() {
            return replicas.size();
        }

        @Override
        public InetAddressAndPort at(int place) {
            return replicas.get(place).endpoint();
        }

        @Override
        public boolean serves(int place) {
            InetAddressAndPort node = at(place);
            return !node.equals(to)
                    && replicas.get(place).isFull()
                    && !(read.isDigestQuery() && dataIsRead(node))
                    && !avoided.test(node)
                    && (node.equals(self) || FailureDetector.instance.isAlive(node))
                    && homes.test(node, replicas);
        }

        /**
         * Whether another message asks for the data that this one asks a digest of, and so gets the copy; or this node
         * reads the data itself, and is the one to be warmed.
         */
        private boolean dataIsRead(InetAddressAndPort node) {
            return node.equals(self) || replicas.byEndpoint().get(self) == null;
        }
    }

    private void copy(SinglePartitionReadCommand read, InetAddressAndPort cold) {
        if (cold.equals(self)) {
            copies.take(read.copy());
            sent.increment();
            return;
        }
        try {
            byte[] encoded = ReadOnWire.encode(read);
            if (encoded == null) {
                uncopied.notCopied(cold, read.metadata().id);
                return;
            }
            messages.tell(cold, COPY, encoded);
            sent.increment();
            uncopied.copied(cold, read.metadata().id);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies of reads sent, or taken by this node itself, since it started. */
    long sent() {
        return sent.sum();
    }

    /** Messages of other nodes that were dropped as malformed since the node started. */
    long malformed() {
        return unreadable.count();
    }
}
