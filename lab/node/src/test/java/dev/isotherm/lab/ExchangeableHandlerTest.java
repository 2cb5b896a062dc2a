// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.service.ClientState;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

class ExchangeableHandlerTest {
    private static Map<String, Integer> fields(byte[] code) {
        Map<String, Integer> access = new TreeMap<>();
        new ClassReader(code)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public FieldVisitor visitField(
                                    int flags, String name, String type, String signature, Object value) {
                                access.put(name, flags);
                                return null;
                            }
                        },
                        0);
        return access;
    }

    @Test
    void theHandlerAloneIsNotFinal() throws IOException {
        try (InputStream file = ClassLoader.getSystemResourceAsStream(ExchangeableHandler.CLASS + ".class")) {
            byte[] code = file.readAllBytes();
            Map<String, Integer> expected = fields(code);
            assertEquals(
                    Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL,
                    expected.put(ExchangeableHandler.FIELD, Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC),
                    ClientState.class + " has the field");
            assertEquals(expected, fields(ExchangeableHandler.in(code)));
        }
    }
}
