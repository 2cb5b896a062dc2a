// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.version41.Cassandra41;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Chooses the {@link CassandraVersion} of the running node, by its release: from the first one of a line that has what
 * the plugin calls to the last one that it was tested on.
 *
 * <p>Releases of one line have differed in what they call: before 4.1.6 Cassandra hands the instant of a request's
 * beginning to its query handler and to the hints it writes, and since then the request's times. What is not called is
 * not enforced. So a later release than those tested is not known, unless an operator allows it by its name.
 */
final class CassandraVersions {
    /** The system property that allows one release later than those tested. */
    static final String ALLOWED = "isotherm.untested_release";

    private static final int FIRST_OF_41 = 6;
    private static final int LAST_TESTED_OF_41 = 10;
    private static final int LAST_TESTED_OF_50 = 9;
    /** The line and the number of a release that is out: what comes before its first one has neither. */
    private static final Pattern RELEASE = Pattern.compile("(4\\.1|5\\.0)\\.(\\d{1,4})([.-].*)?");

    private CassandraVersions() {}

    /** The internals of the running release line; empty if the release is not known. */
    static Optional<CassandraVersion> running() {
        return of(FBUtilities.getReleaseVersionString());
    }

    /** Whether the release is known. Links no code that another release may lack. */
    static boolean isKnown(String release) {
        Matcher numbers = RELEASE.matcher(release);
        return numbers.matches()
                && Integer.parseInt(numbers.group(2)) >= (is41(numbers) ? FIRST_OF_41 : 0)
                && (!isLaterThanTested(numbers) || release.equals(System.getProperty(ALLOWED)));
    }

    /** Whether the release is of a line that is known, and later than those tested. */
    static boolean isLaterThanTested(String release) {
        Matcher numbers = RELEASE.matcher(release);
        return numbers.matches() && isLaterThanTested(numbers);
    }

    private static boolean isLaterThanTested(Matcher numbers) {
        return Integer.parseInt(numbers.group(2)) > (is41(numbers) ? LAST_TESTED_OF_41 : LAST_TESTED_OF_50);
    }

    private static boolean is41(Matcher numbers) {
        return numbers.group(1).equals("4.1");
    }

    static Optional<CassandraVersion> of(String release) {
        if (!isKnown(release)) {
            return Optional.empty();
        }
        Matcher numbers = RELEASE.matcher(release);
        return Optional.of(numbers.matches() && is41(numbers) ? new Cassandra41() : new Cassandra50());
    }
}
