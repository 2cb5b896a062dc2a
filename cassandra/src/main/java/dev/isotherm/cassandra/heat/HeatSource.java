// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import org.apache.cassandra.db.ColumnFamilyStore;

/** A pair of growing counters of a table; their ratio is this node's heat for the table. */
enum HeatSource {
    /** Row-cache misses over row-cache look-ups. A row found in a memtable or cache costs no disk either way. */
    CACHE {
        @Override
        double numerator(ColumnFamilyStore table) {
            return table.metric.rowCacheMiss.getCount() + table.metric.rowCacheHitOutOfRange.getCount();
        }

        @Override
        double denominator(ColumnFamilyStore table) {
            return numerator(table) + table.metric.rowCacheHit.getCount();
        }
    },

    /**
     * Nanoseconds of local reads over local reads. Cassandra takes the time inside the read stage, so it excludes the
     * wait for a thread and includes the wait for the disk.
     */
    READ_TIME {
        @Override
        double numerator(ColumnFamilyStore table) {
            return table.metric.readLatency.totalLatency.getCount() * 1000.0;
        }

        @Override
        double denominator(ColumnFamilyStore table) {
            return table.metric.readLatency.latency.getCount();
        }
    };

    abstract double numerator(ColumnFamilyStore table);

    abstract double denominator(ColumnFamilyStore table);
}
