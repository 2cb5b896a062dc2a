// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version50;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;

/** The masks of columns, which 5.0 has and 4.1 has not: the same byte code runs on both. */
final class ColumnMasks {
    private static final MethodHandle IS_MASKED = isMasked();
    private static final Set<Permission> UNMASK = Arrays.stream(Permission.values())
            .filter(permission -> permission.name().equals("UNMASK"))
            .collect(Collectors.toUnmodifiableSet());

    private ColumnMasks() {}

    private static MethodHandle isMasked() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(ColumnMetadata.class, "isMasked", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException none) {
            return null;
        }
    }

    /** What a role needs beside SELECT to see the table's partition keys. */
    static Set<Permission> permissionsForKeys(TableMetadata table) {
        for (ColumnMetadata column : table.partitionKeyColumns()) {
            if (isMasked(column)) {
                return UNMASK;
            }
        }
        return Set.of();
    }

    private static boolean isMasked(ColumnMetadata column) {
        try {
            return IS_MASKED != null && (boolean) IS_MASKED.invokeExact(column);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
