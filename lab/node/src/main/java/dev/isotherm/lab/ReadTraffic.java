// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/** Read requests of one keyspace that this node sent to each peer and received from all of them, since it started. */
final class ReadTraffic {
    private final String keyspace;
    private final Map<String, LongAdder> sent = new ConcurrentHashMap<>();
    private final LongAdder received = new LongAdder();
    private final CountDownLatch open = new CountDownLatch(1);

    ReadTraffic(String keyspace) {
        this.keyspace = keyspace;
    }

    /** Starts to count; needs Cassandra's configuration to be loaded. */
    void attach() {
        MessagingService messaging = MessagingService.instance();
        messaging.outboundSink.add((message, to) -> {
            if (isCounted(message)) {
                sent.computeIfAbsent(host(to), peer -> new LongAdder()).increment();
            }
            return true;
        });
        messaging.inboundSink.add(message -> {
            if (open.getCount() != 0) {
                open.countDown();
            }
            if (isCounted(message)) {
                received.increment();
            }
            return true;
        });
    }

    /**
     * Returns once the node has contact with its peers: they send reads from then on, seconds before the node answers
     * CQL.
     */
    void awaitFirstMessage() throws InterruptedException {
        open.await();
    }

    /** Reports that the node has started, for a node without peers. */
    void nodeStarted() {
        open.countDown();
    }

    /** Requests sent, by the peer's address without its port. */
    Map<String, Long> sent() {
        Map<String, Long> sums = new TreeMap<>();
        sent.forEach((peer, count) -> sums.put(peer, count.sum()));
        return sums;
    }

    long received() {
        return received.sum();
    }

    private boolean isCounted(Message<?> message) {
        return message.verb() == Verb.READ_REQ
                && message.payload instanceof ReadCommand
                && ((ReadCommand) message.payload).metadata().keyspace.equals(keyspace);
    }

    private static String host(InetAddressAndPort peer) {
        return peer.getHostAddress(false);
    }
}
