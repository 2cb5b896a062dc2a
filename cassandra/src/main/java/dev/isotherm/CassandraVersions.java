// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.util.Optional;
import org.apache.cassandra.utils.FBUtilities;

/** Chooses the {@link CassandraVersion} of the running node. */
final class CassandraVersions {
    private CassandraVersions() {}

    /** The internals of the running release line; empty if the line is not supported. */
    static Optional<CassandraVersion> running() {
        return of(FBUtilities.getReleaseVersionString());
    }

    /** Whether the release belongs to a supported line. Links no code that another release may lack. */
    static boolean isKnown(String release) {
        return release.startsWith("5.0.") || release.startsWith("5.0-");
    }

    static Optional<CassandraVersion> of(String release) {
        return isKnown(release) ? Optional.of(new Cassandra50()) : Optional.empty();
    }
}
