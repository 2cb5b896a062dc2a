// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.runtime.Failures;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LocalReadSubscriberTest {
    private final Failures failures = new Failures();
    private final List<LocalReadSubscriber.Watcher> watchers = new ArrayList<>();
    private final AtomicBoolean idle = new AtomicBoolean();
    private final List<Long> heard = new ArrayList<>();
    private final LocalReadSubscriber reads = new LocalReadSubscriber(node(1), failures, idle::get, watchers);

    @BeforeAll
    static void initialize() {
        DatabaseDescriptor.clientInitialization();
    }

    private static InetAddressAndPort node(int number) {
        try {
            return InetAddressAndPort.getByAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) number}));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private void ends(int node, long millis) {
        reads.receiveTiming(node(node), millis, TimeUnit.MILLISECONDS);
    }

    @Test
    void thoseOfThisNodeAreHeardOfAndAnswersOfPeersAreNot() {
        watchers.add(new LocalReadSubscriber.Watcher("", heard::add));
        ends(1, 3);
        ends(2, 5);
        assertEquals(List.of(3_000_000L), heard);
    }

    @Test
    void nobodyHearsOfThemWhileNothingIsDone() {
        watchers.add(new LocalReadSubscriber.Watcher("", heard::add));
        idle.set(true);
        ends(1, 3);
        idle.set(false);
        ends(1, 4);
        assertEquals(List.of(4_000_000L), heard);
    }

    @Test
    void whereAWatcherThrowsTheOthersHearOfThemAllTheSame() {
        watchers.add(new LocalReadSubscriber.Watcher("A read is not seen", nanos -> {
            throw new IllegalStateException();
        }));
        watchers.add(new LocalReadSubscriber.Watcher("", heard::add));
        ends(1, 3);
        assertEquals(List.of(3_000_000L), heard);
        assertEquals(1, failures.count());
    }
}
