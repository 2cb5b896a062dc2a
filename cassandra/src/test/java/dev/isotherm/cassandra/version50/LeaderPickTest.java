// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version50;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.service.StorageProxy;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The assumptions about Cassandra's code that the choice of leaders depends on: the way Cassandra picks the leader of a
 * counter update.
 */
class LeaderPickTest {
    private static final String SNITCH = IEndpointSnitch.class.getName().replace('.', '/');
    private static final String REPLICA = Replica.class.getName().replace('.', '/');

    @Test
    void theMethodThatPicksIsThereOnce() {
        List<Method> named = Arrays.stream(StorageProxy.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(Cassandra50.LEADER_PICK))
                .collect(Collectors.toList());
        assertEquals(1, named.size());
        assertEquals(Replica.class, named.get(0).getReturnType());
    }

    /** The call must not be inside a lambda, whose frame has another name. */
    @Test
    void itAsksTheSnitchForEachReplicasDatacenterThenPicksOneAtRandom() throws IOException {
        List<String> calls = callsOf(Cassandra50.LEADER_PICK);
        int asks = calls.indexOf(SNITCH + ".getDatacenter(L" + REPLICA + ";)Ljava/lang/String;");
        int picks = calls.indexOf("java/util/concurrent/ThreadLocalRandom.nextInt(I)I");
        assertTrue(0 <= asks && asks < picks, calls.toString());
    }

    @Test
    void whoAsksTheSnitchOtherwiseIsPickingNoLeader() {
        assertFalse(new Cassandra50().isPickingCounterLeader());
    }

    private static List<String> callsOf(String method) throws IOException {
        List<String> calls = new ArrayList<>();
        try (InputStream code = StorageProxy.class.getResourceAsStream("StorageProxy.class")) {
            new ClassReader(code)
                    .accept(
                            new ClassVisitor(Opcodes.ASM9) {
                                @Override
                                public MethodVisitor visitMethod(
                                        int access, String name, String type, String signature, String[] thrown) {
                                    return !name.equals(method)
                                            ? null
                                            : new MethodVisitor(Opcodes.ASM9) {
                                                @Override
                                                public void visitMethodInsn(
                                                        int code,
                                                        String owner,
                                                        String called,
                                                        String type,
                                                        boolean itf) {
                                                    calls.add(owner + '.' + called + type);
                                                }
                                            };
                                }
                            },
                            0);
        }
        return calls;
    }
}
