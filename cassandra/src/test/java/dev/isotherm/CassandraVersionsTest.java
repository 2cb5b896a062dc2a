// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.version.CassandraVersion;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CassandraVersionsTest {
    @AfterEach
    void allowNone() {
        System.clearProperty(CassandraVersions.ALLOWED);
    }

    @ParameterizedTest
    @CsvSource({
        "5.0.0,5.0",
        "5.0.9,5.0",
        "5.0.9-SNAPSHOT,5.0",
        "5.0.9.1,5.0",
        "4.1.6,4.1",
        "4.1.10,4.1",
        "4.1.10-SNAPSHOT,4.1"
    })
    void aReleaseIsKnownByItsLine(String release, String line) {
        assertTrue(CassandraVersions.isKnown(release));
        assertFalse(CassandraVersions.isLaterThanTested(release));
        assertEquals(
                line,
                CassandraVersions.of(release).map(CassandraVersion::releaseLine).orElse("none"));
    }

    /** Releases before 4.1.6, and those before the first of 5.0, have other query handlers and other hints. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "4.0.19",
                "4.1-rc1",
                "4.1.0",
                "4.1.5",
                "4.10.6",
                "5.0-alpha1",
                "5.0-rc2",
                "5.0",
                "5.1",
                "5.1.0",
                "6.0-alpha2",
                "50.0.1",
                "15.0.1",
                "5.0.12345678901",
                ""
            })
    void otherReleasesAreNotAndCannotBeAllowed(String release) {
        System.setProperty(CassandraVersions.ALLOWED, release);
        assertFalse(CassandraVersions.isKnown(release));
        assertFalse(CassandraVersions.of(release).isPresent());
        assertFalse(CassandraVersions.isLaterThanTested(release));
    }

    @ParameterizedTest
    @CsvSource({"5.0.10,5.0", "5.0.10-SNAPSHOT,5.0", "4.1.11,4.1", "4.1.20,4.1"})
    void oneThatIsLaterThanThoseTestedIsKnownWhereItIsAllowed(String release, String line) {
        assertTrue(CassandraVersions.isLaterThanTested(release));
        assertFalse(CassandraVersions.isKnown(release));
        System.setProperty(CassandraVersions.ALLOWED, "5.0.99");
        assertFalse(CassandraVersions.isKnown(release), "another one is allowed");
        System.setProperty(CassandraVersions.ALLOWED, release);
        assertEquals(
                line,
                CassandraVersions.of(release).map(CassandraVersion::releaseLine).orElse("none"));
    }

    /** The integration tests run on it. */
    @Test
    void theReleaseThatThePluginIsBuiltAgainstIsTheLastOneTestedOfItsLine() {
        String built = FBUtilities.getReleaseVersionString();
        assertTrue(CassandraVersions.isKnown(built));
        int last = built.lastIndexOf('.') + 1;
        assertTrue(CassandraVersions.isLaterThanTested(
                built.substring(0, last) + (Integer.parseInt(built.substring(last)) + 1)));
    }
}
