// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** Bytes from another node that are no admission report; the message says what is wrong with them. */
public final class MalformedAdmissionReportException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedAdmissionReportException(String message) {
        super(message);
    }
}
