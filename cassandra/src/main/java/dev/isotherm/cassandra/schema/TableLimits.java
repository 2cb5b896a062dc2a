// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.schema;

import dev.isotherm.limit.Operation;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.cassandra.cql3.CqlBuilder;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.exceptions.ConfigurationException;

/** The limits of one table, as stated by its option {@code per_partition_rate_limit}. Immutable. */
public final class TableLimits {
    /** The name of the table option. */
    public static final String OPTION = "per_partition_rate_limit";
    /** The key among the table's extensions under which the schema keeps the limits. */
    public static final String EXTENSION = "isotherm." + OPTION;
    /** No limit. */
    public static final int NONE = -1;

    private static final String MAX_READS = "max_reads_per_second";
    private static final String MAX_WRITES = "max_writes_per_second";
    private static final String DRY_RUN = "dry_run";
    private static final String FAIR_SHARE = "fair_share";
    private static final String MAX_SHARE = "max_share";
    /** No choice of the largest share. */
    private static final double ALL = 1;

    /** What the option says of a table that has none. */
    public static final TableLimits EMPTY = new TableLimits(NONE, NONE, false, true, ALL);

    private static final MapType<String, String> STORED =
            MapType.getInstance(UTF8Type.instance, UTF8Type.instance, false);

    private final int maxReads;
    private final int maxWrites;
    private final boolean dryRun;
    private final boolean fairShare;
    private final double maxShare;

    private TableLimits(int maxReads, int maxWrites, boolean dryRun, boolean fairShare, double maxShare) {
        this.maxReads = maxReads;
        this.maxWrites = maxWrites;
        this.dryRun = dryRun;
        this.fairShare = fairShare;
        this.maxShare = maxShare;
    }

    /**
     * Reads the option's map; the empty map is {@link #isEmpty()}.
     *
     * @throws ConfigurationException naming the key, its value, and what is allowed
     */
    public static TableLimits parse(Map<String, String> option) {
        int maxReads = NONE;
        int maxWrites = NONE;
        boolean dryRun = false;
        boolean fairShare = true;
        double maxShare = ALL;
        // Sorted, so that of two mistakes always the same one is named.
        for (Map.Entry<String, String> entry : new TreeMap<>(option).entrySet()) {
            String key = entry.getKey();
            String value = entry.getValue();
            switch (key) {
                case MAX_READS:
                    maxReads = limit(key, value);
                    break;
                case MAX_WRITES:
                    maxWrites = limit(key, value);
                    break;
                case DRY_RUN:
                    dryRun = flag(key, value);
                    break;
                case FAIR_SHARE:
                    fairShare = flag(key, value);
                    break;
                case MAX_SHARE:
                    maxShare = share(key, value);
                    break;
                default:
                    throw refused(
                            key,
                            value,
                            "the keys " + String.join(", ", MAX_READS, MAX_WRITES, DRY_RUN, FAIR_SHARE, MAX_SHARE));
            }
        }
        if (maxReads == NONE && maxWrites == NONE && option.containsKey(DRY_RUN)) {
            throw refused(DRY_RUN, option.get(DRY_RUN), "only beside " + MAX_READS + " or " + MAX_WRITES);
        }
        if (!fairShare && maxShare < ALL) {
            throw refused(MAX_SHARE, option.get(MAX_SHARE), "only without " + FAIR_SHARE + ": false");
        }
        TableLimits limits = new TableLimits(maxReads, maxWrites, dryRun, fairShare, maxShare);
        return limits.isEmpty() ? EMPTY : limits;
    }

    /**
     * Decodes the output of {@link #encode}.
     *
     * @throws RuntimeException when it is anything else
     */
    public static TableLimits decode(ByteBuffer stored) {
        STORED.validate(stored);
        return parse(STORED.compose(stored));
    }

    /** The limits as a serialised CQL {@code map<text, text>}: the value of the extension. */
    public ByteBuffer encode() {
        return STORED.decompose(asMap());
    }

    /** Whether the option says nothing: the empty option removes the table's limits. */
    public boolean isEmpty() {
        return maxReads == NONE && maxWrites == NONE && fairShare && maxShare == ALL;
    }

    /** Admitted operations per second and partition; {@link #NONE} if there is no limit. */
    public int of(Operation operation) {
        return operation == Operation.READ ? maxReads : maxWrites;
    }

    /** Whether operations over the limit are only counted, and still admitted. */
    public boolean isDryRun() {
        return dryRun;
    }

    /** Whether partitions of the table are cut to their fair shares while a node is saturated. */
    public boolean isFairShare() {
        return fairShare;
    }

    /** The most that a partition may hold of a saturated node's time, above 0; 1 if the table does not choose. */
    public double maxShare() {
        return maxShare;
    }

    /**
     * The option's value in CQL, such as <code>{'max_reads_per_second': '200'}</code>; the same text for the same
     * limits.
     */
    public String option() {
        return new CqlBuilder().append(asMap()).toString();
    }

    private Map<String, String> asMap() {
        Map<String, String> map = new TreeMap<>();
        if (maxReads != NONE) {
            map.put(MAX_READS, Integer.toString(maxReads));
        }
        if (maxWrites != NONE) {
            map.put(MAX_WRITES, Integer.toString(maxWrites));
        }
        if (dryRun) {
            map.put(DRY_RUN, "true");
        }
        if (!fairShare) {
            map.put(FAIR_SHARE, "false");
        }
        if (maxShare < ALL) {
            map.put(MAX_SHARE, BigDecimal.valueOf(maxShare).stripTrailingZeros().toPlainString());
        }
        return map;
    }

    private static int limit(String key, String value) {
        // At most ten digits, so that the number fits a long.
        if (value.matches("[0-9]{1,10}")) {
            long limit = Long.parseLong(value);
            if (limit <= Integer.MAX_VALUE) {
                return (int) limit;
            }
        }
        throw refused(key, value, "a whole number from 0 to " + Integer.MAX_VALUE);
    }

    private static double share(String key, String value) {
        if (value.matches("[01](\\.[0-9]{1,6})?")) {
            double share = Double.parseDouble(value);
            if (share > 0 && share <= ALL) {
                return share;
            }
        }
        throw refused(key, value, "a number above 0, at most 1, such as 0.5");
    }

    private static boolean flag(String key, String value) {
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw refused(key, value, "'true' or 'false'");
        }
        return Boolean.parseBoolean(value);
    }

    private static ConfigurationException refused(String key, String value, String allowed) {
        return new ConfigurationException(OPTION + ": " + key + ": " + value + " is refused; allowed: " + allowed);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TableLimits
                && maxReads == ((TableLimits) other).maxReads
                && maxWrites == ((TableLimits) other).maxWrites
                && dryRun == ((TableLimits) other).dryRun
                && fairShare == ((TableLimits) other).fairShare
                && maxShare == ((TableLimits) other).maxShare;
    }

    @Override
    public int hashCode() {
        return Objects.hash(maxReads, maxWrites, dryRun, fairShare, maxShare);
    }

    @Override
    public String toString() {
        return option();
    }
}
