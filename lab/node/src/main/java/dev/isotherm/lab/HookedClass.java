// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A class of the plugin that tells {@link Hooks} of the calls that Cassandra makes, through the plugin's guard against
 * failures: what is thrown there is thrown where the feature's own code begins.
 *
 * <p>The lab has the plugin as a jar only: its places stand here by name. One that is there no longer is never called,
 * and the experiment that wants it called says so.
 */
final class HookedClass extends ClassVisitor {
    private static final String PLUGIN = "dev/isotherm/cassandra/";
    private static final String HOOKS = "dev/isotherm/lab/Hooks";
    private static final String TEXT = "Ljava/lang/String;";

    /** Methods that are told of at their beginning; all are called under any load with changes of the schema. */
    private static final Map<String, List<String>> ENTERED = Map.ofEntries(
            Map.entry("heat/ReplicaOrdering", List.of("order")),
            Map.entry("guard/GuardedReads", List.of("guarded")),
            Map.entry("version50/Cassandra50", List.of("isPickingCounterLeader", "definesTable")),
            Map.entry("heat/StatementReader", List.of("before", "succeeded")),
            Map.entry("limit/AdmissionInterceptor", List.of("before", "succeeded")),
            Map.entry("queue/CounterUpdateInterceptor", List.of("before")),
            Map.entry("limit/WriteTimes$WriteHere", List.of("beginsTask", "endsTask", "beginsToWrite")),
            Map.entry("limit/ReadTimes$TimedRead", List.of("beginsHere")),
            Map.entry("limit/ReadTimes", List.of("endHere")),
            Map.entry("heat/DiskSampling", List.of("end")),
            Map.entry("limit/LimitsInForce", List.of("follow", "forget")));

    /** The same for what is called where something else fails, or takes no part. */
    private static final Map<String, List<String>> SELDOM = Map.of(
            "heat/StatementReader", List.of("failed"),
            "limit/AdmissionInterceptor", List.of("failed"),
            "limit/LateRetryTime", List.of("laterNanos"),
            "limit/SpreadReads", List.of("spread"));

    /** Classes with a field that refers to what a feature has given, beside the sentence about its failure. */
    private static final Map<String, Set<String>> GIVEN = Map.of(
            "wire/WireHandlers$Riding", Set.of("rider"),
            "wire/WireHandlers$Receiving", Set.of("receiver"),
            "wire/LocalReadSubscriber$Watcher", Set.of("ended"),
            "runtime/PeriodicTask", Set.of("task"));

    private static final Set<String> USERS_OF_GIVEN =
            Set.of("wire/Wire", "wire/LocalReadSubscriber", "runtime/PeriodicTask");
    /** Tells features of other nodes' states; its mark says which feature. */
    private static final String GOSSIP = "wire/GossipState";

    private static final Set<String> OF_GOSSIP = Set.of("told", "restarted", "removed");
    /** Waits for the answers of other nodes. */
    private static final String ANSWERS = "wire/OwnMessages$1";

    private final String name;

    private HookedClass(String name, ClassVisitor next) {
        super(Opcodes.ASM9, next);
        this.name = name;
    }

    /** The hooks that are called under any load with changes of the schema; there may be others. */
    static Set<String> hooks() {
        Set<String> hooks = new TreeSet<>();
        ENTERED.forEach((name, methods) -> methods.forEach(method -> hooks.add(hook(name, method))));
        return hooks;
    }

    /** @param internalName as in a class file, with slashes */
    static boolean isHooked(String internalName) {
        if (!internalName.startsWith(PLUGIN)) {
            return false;
        }
        String name = internalName.substring(PLUGIN.length());
        return ENTERED.containsKey(name)
                || SELDOM.containsKey(name)
                || USERS_OF_GIVEN.contains(name)
                || name.equals(GOSSIP)
                || name.equals(ANSWERS);
    }

    /** The class file with the calls in it. */
    static byte[] hooked(String internalName, byte[] code) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new HookedClass(internalName.substring(PLUGIN.length()), writer), 0);
        return writer.toByteArray();
    }

    private static String hook(String name, String method) {
        return name.replaceFirst(".*/", "").replace('$', '.') + '.' + method;
    }

    private boolean isEntered(String method) {
        return ENTERED.getOrDefault(name, List.of()).contains(method)
                || SELDOM.getOrDefault(name, List.of()).contains(method);
    }

    @Override
    public MethodVisitor visitMethod(int access, String method, String type, String signature, String[] thrown) {
        MethodVisitor next = super.visitMethod(access, method, type, signature, thrown);
        boolean bridge = (access & Opcodes.ACC_BRIDGE) != 0;
        return bridge ? next : new HookedMethod(method, next);
    }

    private final class HookedMethod extends MethodVisitor {
        private final String method;

        HookedMethod(String method, MethodVisitor next) {
            super(Opcodes.ASM9, next);
            this.method = method;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (isEntered(method)) {
                tell(hook(name, method));
            }
        }

        @Override
        public void visitFieldInsn(int operation, String owner, String field, String type) {
            boolean given = operation == Opcodes.GETFIELD
                    && owner.startsWith(PLUGIN)
                    && GIVEN.getOrDefault(owner.substring(PLUGIN.length()), Set.of())
                            .contains(field);
            if (given) {
                super.visitInsn(Opcodes.DUP);
                super.visitFieldInsn(Opcodes.GETFIELD, owner, "whenItFails", TEXT);
                super.visitLdcInsn(field);
                super.visitInsn(Opcodes.SWAP);
                tellOfTwo();
            }
            super.visitFieldInsn(operation, owner, field, type);
        }

        @Override
        public void visitMethodInsn(int operation, String owner, String called, String type, boolean ofInterface) {
            if (operation == Opcodes.INVOKEINTERFACE) {
                if (name.equals(GOSSIP) && OF_GOSSIP.contains(called)) {
                    super.visitLdcInsn("GossipState." + called);
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                    super.visitFieldInsn(Opcodes.GETFIELD, PLUGIN + GOSSIP, "mark", TEXT);
                    tellOfTwo();
                } else if (name.equals(ANSWERS) && owner.startsWith("java/")) {
                    tell("OwnMessages." + method);
                }
            }
            super.visitMethodInsn(operation, owner, called, type, ofInterface);
        }

        private void tell(String hook) {
            super.visitLdcInsn(hook);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "called", "(" + TEXT + ")V", false);
        }

        private void tellOfTwo() {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "called", "(" + TEXT + TEXT + ")V", false);
        }
    }
}
