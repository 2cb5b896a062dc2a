// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import dev.isotherm.warming.CopyPlaces;
import org.apache.cassandra.db.SinglePartitionReadCommand;

/** Tells how often a read waits for the disk that the present thread serves from its beginning to its end. */
public interface DiskWaits {
    /** Stands in where nobody tells how often a read waits. */
    DiskWaits UNKNOWN = new DiskWaits() {
        @Override
        public void begin(SinglePartitionReadCommand read) {
            // Nothing is noted.
        }

        @Override
        public long end() {
            return CopyPlaces.NOT_KNOWN;
        }
    };

    /** The present thread begins to serve the read. */
    void begin(SinglePartitionReadCommand read);

    /** The read that the present thread began has ended: how often it waited, or {@link CopyPlaces#NOT_KNOWN}. */
    long end();
}
