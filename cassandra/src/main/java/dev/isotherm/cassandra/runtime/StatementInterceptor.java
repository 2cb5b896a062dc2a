// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

/** One feature's part in the execution of clients' statements. Called on the statement's own thread. */
public interface StatementInterceptor {
    /**
     * The statement is about to be executed.
     *
     * @throws org.apache.cassandra.exceptions.CassandraException replaces the execution and reaches the client; after
     *     any other exception the statement is executed
     */
    void before(StatementScope scope);

    /** The statement succeeded. */
    default void succeeded(StatementScope scope) {}

    /**
     * The statement failed.
     *
     * @param failure the exception of Cassandra or of an interceptor
     * @return the exception for the client instead of the failure; null for the failure itself
     */
    default RuntimeException failed(StatementScope scope, Throwable failure) {
        return null;
    }
}
