// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.innode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/** What the node in this process sends, which is kept instead; and what it gets, without a network. */
public final class KeptMessages {
    private final List<Message<?>> sent = new CopyOnWriteArrayList<>();
    private final BiPredicate<Message<?>, InetAddressAndPort> keep = (message, to) -> {
        sent.add(message);
        return false;
    };

    /** Keeps what is sent from now on. */
    public void begin() {
        MessagingService.instance().outboundSink.add(keep);
    }

    /** Takes this and all that the plugin has put there out of Cassandra's ways in and out. */
    public void end() {
        MessagingService.instance().outboundSink.clear();
        MessagingService.instance().inboundSink.clear();
    }

    /** What was sent and is not forgotten, the oldest first; may be changed. */
    public List<Message<?>> sent() {
        return sent;
    }

    /** How many messages of this kind were sent. */
    public int sent(Verb verb) {
        return (int) sent.stream().filter(message -> message.verb() == verb).count();
    }

    /** Serves a message as if it had come from another node, and returns when that has been done. */
    public void serve(Message<?> message) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        message.verb().stage.execute(() -> {
            MessagingService.instance().inboundSink.accept(message);
            done.countDown();
        });
        assertTrue(done.await(30, TimeUnit.SECONDS));
    }
}
