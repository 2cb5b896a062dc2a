// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.GossipLoad;
import dev.isotherm.heat.HeatReport;
import dev.isotherm.heat.PublishingRule;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.apache.cassandra.schema.TableId;

/** Decides when this node's heats are published in gossip and on read responses. Used by one thread. */
final class HeatPublisher {
    /**
     * A read response carries at most this many tables and their votes: 19 bytes each. Gossip has a whole report. One
     * with fewer tables is taken for a whole one.
     */
    private static final int MAX_CARRIED = GossipLoad.LEAST_TABLES;

    private final Function<TableId, UUID> idOf;
    private final Comparator<Map.Entry<TableId, TableHeat>> byId;
    private final Comparator<Map.Entry<TableId, TableHeat>> byReads;
    private final Consumer<byte[]> gossip;
    private final Consumer<byte[]> responses;
    private final PublishingRule rule = PublishingRule.defaults();
    private final IntSupplier nodes;
    private final IntSupplier servedAtOnce;
    private final Map<TableId, TableHeat> published = new HashMap<>();
    private long publishedAtNanos;
    private boolean started;
    private byte[] carried;

    /**
     * @param nodes the nodes of the cluster, 1 or above
     * @param servedAtOnce {@link dev.isotherm.heat.DiskPlaces#servedAtOnce} of this node's disk
     * @param idOf a table's id in the form sent between nodes
     * @param gossip publishes a report to all nodes
     * @param responses takes the report that read responses carry from then on
     */
    HeatPublisher(
            IntSupplier nodes,
            IntSupplier servedAtOnce,
            Function<TableId, UUID> idOf,
            Consumer<byte[]> gossip,
            Consumer<byte[]> responses) {
        this.nodes = nodes;
        this.servedAtOnce = servedAtOnce;
        this.idOf = idOf;
        this.byId = Comparator.comparing(entry -> idOf.apply(entry.getKey()));
        this.byReads = Comparator.comparingDouble(
                        (Map.Entry<TableId, TableHeat> entry) -> -readsPerSecond(entry.getValue()))
                .thenComparing(byId);
        this.gossip = gossip;
        this.responses = responses;
    }

    /**
     * Publishes the heats if they are due.
     *
     * @param heats this node's heat for each table that is read
     */
    void offer(Map<TableId, TableHeat> heats, long nowNanos) {
        int presentNodes = nodes.getAsInt();
        int most = GossipLoad.mostTables(presentNodes);
        boolean due = isDue(heats, most, presentNodes, nowNanos);
        byte[] report = encode(heats, MAX_CARRIED);
        // A new array marks a new report; at a gossip refresh it also renews the age of an unchanged report.
        if (!heats.isEmpty() && (due || !Arrays.equals(report, carried))) {
            carried = report;
            responses.accept(report);
        }
        if (due) {
            gossip.accept(encode(heats, most));
            published.clear();
            published.putAll(heats);
            publishedAtNanos = nowNanos;
            started = true;
        }
    }

    private boolean isDue(Map<TableId, TableHeat> heats, int most, int presentNodes, long nowNanos) {
        if (!started) {
            // An empty first report tells the others that this node has the plugin.
            return true;
        }
        long sinceNanos = nowNanos - publishedAtNanos;
        if (!rule.mayPublish(sinceNanos)
                || sinceNanos < GossipLoad.leastBetweenNanos(presentNodes, Math.min(heats.size(), most))) {
            return false;
        }
        // What a report has no room for is no reason to send one.
        for (Map.Entry<TableId, TableHeat> entry : told(heats, most)) {
            TableHeat last = published.get(entry.getKey());
            TableHeat current = entry.getValue();
            if (last == null
                    || last.vote != current.vote
                    || rule.isDue(last.heat, last.rate, current.heat, current.rate, sinceNanos)) {
                return true;
            }
        }
        return false;
    }

    private byte[] encode(Map<TableId, TableHeat> heats, int most) {
        HeatReport.Builder builder = new HeatReport.Builder().servedAtOnce(servedAtOnce.getAsInt());
        for (Map.Entry<TableId, TableHeat> entry : inOrder(heats, most)) {
            UUID id = idOf.apply(entry.getKey());
            TableHeat heat = entry.getValue();
            builder.add(id.getMostSignificantBits(), id.getLeastSignificantBits(), heat.heat, heat.rate, heat.vote);
        }
        return builder.encode();
    }

    /** The tables to report in an order that depends only on rates and ids. */
    private List<Map.Entry<TableId, TableHeat>> inOrder(Map<TableId, TableHeat> heats, int most) {
        return told(heats, most).stream()
                .sorted(heats.size() <= most ? byId : byReads)
                .collect(Collectors.toList());
    }

    /**
     * The tables to report; if there are too many, those that this node reads most: their heats decide the most reads.
     */
    private Collection<Map.Entry<TableId, TableHeat>> told(Map<TableId, TableHeat> heats, int most) {
        if (heats.size() <= most) {
            return heats.entrySet();
        }
        // The last of those found so far is its head: of thousands of tables most are behind it.
        PriorityQueue<Map.Entry<TableId, TableHeat>> found = new PriorityQueue<>(most, byReads.reversed());
        double least = Double.NEGATIVE_INFINITY;
        for (Map.Entry<TableId, TableHeat> entry : heats.entrySet()) {
            // Nearly all of thousands of tables end here.
            if (readsPerSecond(entry.getValue()) < least) {
                continue;
            }
            if (found.size() == most) {
                if (byReads.compare(entry, found.peek()) >= 0) {
                    continue;
                }
                found.poll();
            }
            found.add(entry);
            least = found.size() == most ? readsPerSecond(found.peek().getValue()) : least;
        }
        return found;
    }

    private static double readsPerSecond(TableHeat heat) {
        return heat.localReads == null ? 0 : heat.localReads.perSecond();
    }
}
