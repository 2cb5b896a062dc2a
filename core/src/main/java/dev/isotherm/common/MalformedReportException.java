// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/** Bytes from another node are not a valid report of the expected kind; the message names the fault. */
public final class MalformedReportException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedReportException(String message) {
        super(message);
    }
}
