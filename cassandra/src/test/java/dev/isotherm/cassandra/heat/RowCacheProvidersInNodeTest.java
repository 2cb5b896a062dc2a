// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import org.apache.cassandra.cache.CacheProvider;
import org.apache.cassandra.cache.ICache;
import org.apache.cassandra.cache.IRowCacheEntry;
import org.apache.cassandra.cache.OHCProvider;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.cache.RowCacheSentinel;
import org.apache.cassandra.cache.SerializingCacheProvider;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What Cassandra's row caches do with a read that a write overtakes: why docs/heat-weighted-reads.md names one of them.
 *
 * <p>A read that misses leaves a sentinel, reads the partition, and puts what it read in the sentinel's place. A write
 * in between removes the sentinel, so that the older partition is not cached.
 */
class RowCacheProvidersInNodeTest {
    private static ColumnFamilyStore table;

    @BeforeAll
    static void begin() throws Exception {
        NodeInProcess.begin();
        table = NodeInProcess.table("providers", "caching = {'rows_per_partition': 'ALL'}");
    }

    @Test
    void serializingCacheDropsAnOvertakenRead() {
        assertFalse(keepsOvertakenRead(new SerializingCacheProvider()));
    }

    /** Fails with a release in which Cassandra's default keeps this promise: then the advice can go. */
    @Test
    void defaultCacheKeepsAnOvertakenRead() {
        assertTrue(keepsOvertakenRead(new OHCProvider()));
    }

    private static boolean keepsOvertakenRead(CacheProvider<RowCacheKey, IRowCacheEntry> provider) {
        ICache<RowCacheKey, IRowCacheEntry> cache = provider.create();
        RowCacheKey key = new RowCacheKey(table.metadata(), table.decorateKey(ByteBufferUtil.bytes(1)));
        IRowCacheEntry sentinel = new RowCacheSentinel();
        cache.putIfAbsent(key, sentinel);
        cache.remove(key);
        cache.replace(key, sentinel, new RowCacheSentinel());
        return cache.containsKey(key);
    }
}
