// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.functions.Function;

/** Functions that users have written. They run when a statement's keys are worked out. */
public final class UserFunctions {
    private UserFunctions() {}

    /** Whether the statement calls any, and the node runs them. */
    public static boolean areIn(CQLStatement statement) {
        if (DatabaseDescriptor.enableUserDefinedFunctions()) {
            for (Function function : statement.getFunctions()) {
                if (!function.isNative()) {
                    return true;
                }
            }
        }
        return false;
    }
}
