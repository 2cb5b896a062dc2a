// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidConfigurationInQueryException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Executes statements with the Java driver and one of its retry policies, and prints the number of each outcome.
 *
 * <p>Arguments: the local datacenter, the class of the retry policy, the number of executions of each statement, the
 * addresses of all nodes separated by commas, and the statements. One line printed has nothing but a word and a count
 * for each outcome, {@code InvalidConfigurationInQueryException=20}, or with {@code Other} before the name if the
 * documented function does not recognise it; the driver's threads may log to the same stream after it.
 */
final class JavaDriverExecutes {
    private static final int PORT = 9042;
    /** No time-out of the driver is to be among the outcomes. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private JavaDriverExecutes() {}

    public static void main(String[] arguments) {
        DriverConfigLoader retrying = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.RETRY_POLICY_CLASS, arguments[1])
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
                .build();
        CqlSessionBuilder builder =
                CqlSession.builder().withLocalDatacenter(arguments[0]).withConfigLoader(retrying);
        for (String address : arguments[3].split(",")) {
            builder.addContactPoint(new InetSocketAddress(address, PORT));
        }
        Map<String, Integer> outcomes = new TreeMap<>();
        try (CqlSession session = builder.build()) {
            for (int i = 4; i < arguments.length; i++) {
                for (int repeat = 0; repeat < Integer.parseInt(arguments[2]); repeat++) {
                    outcomes.merge(outcome(session, arguments[i]), 1, Integer::sum);
                }
            }
        }
        StringBuilder line = new StringBuilder();
        outcomes.forEach(
                (name, count) -> line.append(name).append('=').append(count).append(' '));
        System.out.println(line.toString().trim());
    }

    private static String outcome(CqlSession session, String query) {
        try {
            // Idempotent: only the kind of the error can keep the driver from a retry.
            session.execute(SimpleStatement.newInstance(query).setIdempotent(true));
            return "success";
        } catch (DriverException e) {
            return (isBusy(e) ? "" : "Other") + e.getClass().getSimpleName();
        }
    }

    static boolean isBusy(Throwable error) {
        return error instanceof InvalidConfigurationInQueryException
                && (error.getMessage().contains("Per-partition rate limit exceeded: ")
                        || error.getMessage().contains("Fair share exceeded: "));
    }
}
