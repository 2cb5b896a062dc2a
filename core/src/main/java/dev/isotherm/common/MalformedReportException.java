// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/**
 * Bytes from another node that are no report of the kind that was expected; the message says what is wrong with them.
 */
public final class MalformedReportException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedReportException(String message) {
        super(message);
    }
}
