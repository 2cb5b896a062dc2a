// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import dev.isotherm.common.MalformedReportException;

/** What a node says to the coordinators that read from it while its process hardly runs: one byte, the version. */
public final class StarvedMark {
    private static final byte VERSION = 1;

    private StarvedMark() {}

    public static byte[] encode() {
        return new byte[] {VERSION};
    }

    /** @throws MalformedReportException if the value is no mark of the known version */
    public static void check(byte[] value) throws MalformedReportException {
        if (value == null) {
            throw new MalformedReportException("no bytes");
        }
        if (value.length != 1) {
            throw new MalformedReportException(value.length + " bytes; allowed: 1");
        }
        if (value[0] != VERSION) {
            throw new MalformedReportException("version " + value[0] + "; known: " + VERSION);
        }
    }
}
