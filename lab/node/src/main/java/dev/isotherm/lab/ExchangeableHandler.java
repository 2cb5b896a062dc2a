// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Cassandra's {@code ClientState} with a query handler that {@link Plug} can exchange: the field is not final, so that
 * compiled code reads it at each request.
 */
final class ExchangeableHandler extends ClassVisitor {
    static final String CLASS = "org/apache/cassandra/service/ClientState";
    static final String FIELD = "cqlQueryHandler";

    private ExchangeableHandler(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    /** The class file with the field so. */
    static byte[] in(byte[] code) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new ExchangeableHandler(writer), 0);
        return writer.toByteArray();
    }

    @Override
    public FieldVisitor visitField(int access, String name, String type, String signature, Object value) {
        int changed = name.equals(FIELD) ? access & ~Opcodes.ACC_FINAL : access;
        return super.visitField(changed, name, type, signature, value);
    }
}
