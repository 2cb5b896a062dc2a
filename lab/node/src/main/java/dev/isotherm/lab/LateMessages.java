// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;

/**
 * A slow network: messages from peers are held back on their arrival, before anything in this node has seen them.
 *
 * <p>A link that is slow both ways is slow on arrival at both ends; what is sent leaves at once. Whoever on either node
 * measures how long an answer takes thus measures the network too.
 */
final class LateMessages {
    private static final LateMessages NODE = new LateMessages();

    private final HeldInOrder<Message<?>> held;
    /** Set on the thread that hands on a message whose time has come. */
    private final ThreadLocal<Boolean> arriving = new ThreadLocal<>();

    private final SentByPeer late = new SentByPeer();

    private boolean attached;

    private LateMessages() {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "isotherm-lab-late");
            thread.setDaemon(true);
            return thread;
        });
        held = new HeldInOrder<>(
                System::nanoTime, (nanos, task) -> timer.schedule(task, nanos, TimeUnit.NANOSECONDS), this::handOn);
    }

    /** The messages that reach this process. */
    static LateMessages ofNode() {
        return NODE;
    }

    /** Holds back, from now on, what this peer sends, or every peer when empty; 0 ms: nothing. */
    synchronized void delay(long millis, String from) {
        if (!attached) {
            // Added after everybody else's, and therefore asked first.
            MessagingService.instance().inboundSink.add(this::arrivesNow);
            attached = true;
        }
        late.only(from);
        held.setDelay(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private boolean arrivesNow(Message<?> message) {
        return arriving.get() != null || !late.is(message) || !held.hold(message);
    }

    /** Lets a message arrive on a thread of the stage that would have handled it in time. */
    private void handOn(Message<?> message) {
        message.verb().stage.execute(() -> {
            arriving.set(true);
            try {
                MessagingService.instance().inboundSink.accept(message);
            } finally {
                arriving.remove();
            }
        });
    }
}
