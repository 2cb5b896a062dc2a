// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import org.apache.cassandra.net.Message;

/**
 * The reads of large partitions about which fair shares decide, as a replica is saturated. How long they take is the
 * partition's doing, and says nothing of the replica.
 */
public interface CutReads {
    /** Stands in where no partition is cut. */
    CutReads NONE = new CutReads() {
        @Override
        public boolean has(Message<?> read) {
            return false;
        }

        @Override
        public int underWay() {
            return 0;
        }

        @Override
        public long ended() {
            return 0;
        }

        @Override
        public long nanos() {
            return 0;
        }
    };

    /** Whether the read is one of them; asked on the thread of its statement. */
    boolean has(Message<?> read);

    /** Those that threads of this node's read stage serve at present, and somebody still waits for. */
    int underWay();

    /** Those that this node has served since it started. */
    long ended();

    /** The time that these took, in nanoseconds. */
    long nanos();
}
