// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** What other nodes say about admissions and cannot be read here, as what a later build says: ignored and counted. */
final class MalformedAdmissions {
    private final LongAdder count = new LongAdder();

    /**
     * Reads a parameter.
     *
     * @param node who has sent it
     * @param limits the limited table with an id, null if it has no limit on this node
     * @param whenMalformed the effect, a constant sentence
     * @return null when it is malformed
     */
    AdmissionParam read(
            InetAddressAndPort node, byte[] bytes, Function<TableId, LimitedTable> limits, String whenMalformed) {
        try {
            return AdmissionParam.decode(bytes, limits);
        } catch (IllegalArgumentException e) {
            ignore(whenMalformed, node, e);
            return null;
        }
    }

    /**
     * @param consequence the effect, a constant sentence
     * @param node who says what is ignored
     */
    void ignore(String consequence, InetAddressAndPort node, Exception cause) {
        count.increment();
        Failures.logForeign(consequence, node, cause);
    }

    /** Values that could not be read, since the node started. */
    long count() {
        return count.sum();
    }
}
