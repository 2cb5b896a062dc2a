// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import org.apache.cassandra.exceptions.ReadAbortException;
import org.apache.cassandra.exceptions.RequestFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;

/** Why a request failed, as far as Cassandra says. */
final class CassandrasReasons {
    private CassandrasReasons() {}

    /**
     * Whether a replica has a reason to tell, such as too many tombstones, of which the client is to learn, also where
     * another one rejected the request.
     */
    static boolean areToldBy(RequestFailureException failure) {
        return failure instanceof ReadAbortException
                || !failure.failureReasonByEndpoint.values().stream().allMatch(RequestFailureReason.UNKNOWN::equals);
    }
}
