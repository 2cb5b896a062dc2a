// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Node 1 coordinates, and its snitch prefers it to all; nodes 2 to 4 are alike, and better than 5 and 6. */
class SpreadReadsTest {
    private static final Token LARGE = new Murmur3Partitioner.LongToken(7);
    private static final Token OTHER = new Murmur3Partitioner.LongToken(8);

    private final StatementScope.Slot<ShareDecision> slot = new StatementScope.Slot<>(ShareDecision::new);
    private boolean hasShares = true;
    private final SpreadReads reads = new SpreadReads(() -> hasShares, slot, new Preferring());

    private static final class Preferring extends SimpleSnitch {
        @Override
        public int compareEndpoints(InetAddressAndPort target, Replica r1, Replica r2) {
            assertEquals(node(1), target);
            return rank(r1) - rank(r2);
        }

        private static int rank(Replica replica) {
            return replica.endpoint().equals(node(1))
                    ? 0
                    : List.of(node(5), node(6)).contains(replica.endpoint()) ? 2 : 1;
        }
    }

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    @AfterEach
    void end() {
        StatementScope.current().end(new Failures());
    }

    private static EndpointsForToken replicas(Token token, int count) {
        Range<Token> range = new Range<>(
                Murmur3Partitioner.instance.getMinimumToken(), Murmur3Partitioner.instance.getMinimumToken());
        EndpointsForToken.Builder builder = EndpointsForToken.builder(token);
        IntStream.rangeClosed(1, count).forEach(each -> builder.add(Replica.fullReplica(node(each), range)));
        return builder.build();
    }

    private Set<List<InetAddressAndPort>> orders(Token token, int count) {
        Set<List<InetAddressAndPort>> orders = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            StatementScope.current().part(slot).spread(token, false);
            orders.add(List.copyOf(reads.spread(node(1), replicas(token, count)).endpointList()));
        }
        return orders;
    }

    /** Three in all six orders, two in both: 12. */
    @Test
    void replicasThatAreAlikeComeInAnyOrderAndNoOthers() {
        Set<List<InetAddressAndPort>> orders = orders(LARGE, 6);
        assertEquals(12, orders.size());
        assertEquals(Set.of(node(1)), orders.stream().map(order -> order.get(0)).collect(Collectors.toSet()));
        assertEquals(
                Set.of(Set.of(node(2), node(3), node(4))),
                orders.stream().map(order -> Set.copyOf(order.subList(1, 4))).collect(Collectors.toSet()));
        assertEquals(
                Set.of(Set.of(node(5), node(6))),
                orders.stream().map(order -> Set.copyOf(order.subList(4, 6))).collect(Collectors.toSet()));
    }

    /** Such as those of further pages: a replica decides about the first. */
    @Test
    void allReadsOfAStatementMeetThemInOneOrder() {
        StatementScope.current().part(slot).spread(LARGE, false);
        List<InetAddressAndPort> first =
                reads.spread(node(1), replicas(LARGE, 6)).endpointList();
        for (int page = 0; page < 20; page++) {
            assertEquals(first, reads.spread(node(1), replicas(LARGE, 6)).endpointList());
        }
    }

    @Test
    void withoutSharesNoPartitionIsLarge() {
        hasShares = false;
        StatementScope.current().part(slot).spread(LARGE, true);
        EndpointsForToken inOrder = replicas(LARGE, 6);
        assertSame(inOrder, reads.spread(node(1), inOrder));
    }

    @Test
    void otherReadsKeepTheirOrder() {
        EndpointsForToken inOrder = replicas(OTHER, 6);
        assertSame(inOrder, reads.spread(node(1), inOrder), "no large partition is read");
        StatementScope.current().part(slot).spread(LARGE, true);
        assertSame(inOrder, reads.spread(node(1), inOrder), "another partition than the statement's");
        EndpointsForToken one = replicas(LARGE, 1);
        assertSame(one, reads.spread(node(1), one));
        Replica full = inOrder.get(0);
        EndpointsForToken withTransient = EndpointsForToken.builder(LARGE)
                .add(Replica.fullReplica(node(2), full.range()))
                .add(Replica.transientReplica(node(3), full.range()))
                .build();
        assertSame(withTransient, reads.spread(node(1), withTransient), "one full replica must be contacted");
        StatementScope.current().end(new Failures());
        EndpointsForToken afterwards = replicas(LARGE, 6);
        assertSame(afterwards, reads.spread(node(1), afterwards), "the statement has ended");
    }
}
