// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.version.CassandraVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CassandraVersionsTest {
    @ParameterizedTest
    @CsvSource({"5.0.9,5.0", "5.0-rc2,5.0", "5.1,none", "6.0-alpha2,none", "50.0.1,none"})
    void aReleaseIsKnownByItsLine(String release, String line) {
        assertEquals(
                line,
                CassandraVersions.of(release).map(CassandraVersion::releaseLine).orElse("none"));
        assertEquals(!line.equals("none"), CassandraVersions.isKnown(release));
    }

    /** Releases before 4.1.6 have other query handlers and other hints. */
    @ParameterizedTest
    @CsvSource({
        "4.1.6,4.1",
        "4.1.10,4.1",
        "4.1.10-SNAPSHOT,4.1",
        "4.1.20,4.1",
        "4.1.0,none",
        "4.1.5,none",
        "4.1-rc1,none",
        "4.10.6,none",
        "4.0.19,none"
    })
    void aReleaseOf41IsKnownFromThe6thOn(String release, String line) {
        aReleaseIsKnownByItsLine(release, line);
    }
}
