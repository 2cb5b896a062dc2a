// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.version41.Cassandra41;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.cassandra.utils.FBUtilities;

/** Chooses the {@link CassandraVersion} of the running node. */
final class CassandraVersions {
    /**
     * From 4.1.6 on: there Cassandra hands each request's times to its query handler and to the hints it writes, in
     * place of the instant of its beginning.
     */
    private static final Pattern OF_41 = Pattern.compile("4\\.1\\.([6-9]|[1-9]\\d+)([.-].*)?");

    private static final Pattern OF_50 = Pattern.compile("5\\.0[.-].*");

    private CassandraVersions() {}

    /** The internals of the running release line; empty if the release is not supported. */
    static Optional<CassandraVersion> running() {
        return of(FBUtilities.getReleaseVersionString());
    }

    /** Whether the release is supported. Links no code that another release may lack. */
    static boolean isKnown(String release) {
        return OF_50.matcher(release).matches() || OF_41.matcher(release).matches();
    }

    static Optional<CassandraVersion> of(String release) {
        if (OF_50.matcher(release).matches()) {
            return Optional.of(new Cassandra50());
        }
        return OF_41.matcher(release).matches() ? Optional.of(new Cassandra41()) : Optional.empty();
    }
}
