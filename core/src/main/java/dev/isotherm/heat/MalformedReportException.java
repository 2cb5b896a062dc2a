// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** Bytes from another node that are no heat report; the message says what is wrong with them. */
public final class MalformedReportException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedReportException(String message) {
        super(message);
    }
}
