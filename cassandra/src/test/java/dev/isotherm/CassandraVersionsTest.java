// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.version.CassandraVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CassandraVersionsTest {
    @ParameterizedTest
    @CsvSource({"5.0.9,5.0", "5.0-rc2,5.0", "4.1.9,none", "5.1,none", "6.0-alpha2,none", "50.0.1,none"})
    void aReleaseIsKnownByItsLine(String release, String line) {
        assertEquals(
                line,
                CassandraVersions.of(release).map(CassandraVersion::releaseLine).orElse("none"));
    }
}
