// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.innode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.version50.Cassandra50;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stack shows Cassandra's own pick of a counter update's leader, and nothing else. */
class LeaderPickInNodeTest {
    private final Cassandra50 version = new Cassandra50();
    private final List<Boolean> seen = new ArrayList<>();
    private IEndpointSnitch before;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    @BeforeEach
    void askTheSnitch() {
        before = DatabaseDescriptor.getEndpointSnitch();
    }

    @AfterEach
    void leaveTheSnitch() {
        DatabaseDescriptor.setEndpointSnitch(before);
    }

    /** A snitch that inspects the stack below several frames of the plugin, as the plugin's snitch does. */
    private SimpleSnitch looking(int frames) {
        return new SimpleSnitch() {
            @Override
            public String getDatacenter(Replica replica) {
                look(frames);
                return super.getDatacenter(replica);
            }
        };
    }

    private void look(int frames) {
        if (frames > 0) {
            look(frames - 1);
        } else {
            seen.add(version.isPickingCounterLeader());
        }
    }

    private void pick() throws ReflectiveOperationException {
        Method method = Arrays.stream(StorageProxy.class.getDeclaredMethods())
                .filter(each -> each.getName().equals("findSuitableReplica"))
                .findFirst()
                .orElseThrow();
        method.setAccessible(true);
        DecoratedKey key = Murmur3Partitioner.instance.decorateKey(ByteBufferUtil.bytes(1));
        String datacenter = before.getLocalDatacenter();
        Replica picked = (Replica) method.invoke(null, NodeInProcess.KEYSPACE, key, datacenter, ConsistencyLevel.ONE);
        assertEquals("127.0.0.1", picked.endpoint().getHostAddress(false));
    }

    @Test
    void cassandrasChoiceIsSeenHoweverManyFramesOfOursLieBetween() throws ReflectiveOperationException {
        for (int frames : new int[] {0, 1, 10, 100}) {
            seen.clear();
            DatabaseDescriptor.setEndpointSnitch(looking(frames));
            pick();
            assertEquals(List.of(true), seen, frames + " frames");
        }
    }

    /** A call through a third-party snitch does not count as Cassandra's pick: the pick is not steered then. */
    @Test
    void whoAsksFromAFrameOfAnotherIsNotTheChoice() throws ReflectiveOperationException {
        IEndpointSnitch ours = looking(0);
        DatabaseDescriptor.setEndpointSnitch(new org.apache.cassandra.locator.AskingOnSnitch(ours));
        pick();
        assertEquals(List.of(false), seen);
    }

    @Test
    void otherCallersOfTheSnitchAreNotTheChoice() {
        look(3);
        assertEquals(List.of(false), seen);
    }
}
