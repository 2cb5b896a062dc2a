// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

/** One feature's part in the execution of clients' statements. Called on the statement's own thread. */
public interface StatementInterceptor {
    /** The statement is about to be executed; what is thrown here reaches the client instead. */
    void before(StatementScope scope);

    /** The statement succeeded. */
    default void succeeded(StatementScope scope) {}

    /**
     * The statement failed.
     *
     * @param failure what Cassandra threw, or an interceptor
     * @return what the client gets instead; null when it gets the failure
     */
    default RuntimeException failed(StatementScope scope, Throwable failure) {
        return null;
    }
}
