// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.Map;
import java.util.StringJoiner;

/** One line of the probe: the node's counters since its process started, at one moment. */
final class Counters {
    static final String HEADER = "epoch_ms,reads,row_cache_hits,row_cache_misses,disk_reads,received,local,"
            + "read_stage_pending,disk_waiting,counters_led,counter_queue,moved,copies,coordinated,"
            + "sent_total,sent_by_peer";

    long epochMillis;
    /** Local reads executed, for any coordinator, and copies of reads; the CSV has them without the copies. */
    long reads;

    long rowCacheHits;
    long rowCacheMisses;
    long diskReads;
    /** Read requests received from peers. */
    long received;
    /** Reads waiting for a thread now; not cumulative. */
    long readStagePending;
    /** Reads that have a thread and wait for the slow disk now; not cumulative. */
    long diskWaiting;
    /** Counter updates that this node led, for any coordinator. */
    long countersLed;
    /** Counter updates that wait on this node for a thread or have one now; not cumulative. */
    long counterQueue;

    /** Reads whose replicas the plugin's guard has reordered; none without the plugin. */
    long moved;

    /** Copies of reads among the local reads: they warm a cold node and answer nobody; none without the plugin. */
    long copies;

    /** Reads that this node has answered as coordinator, or that have failed. */
    long coordinated;

    Map<String, Long> sent = Map.of();

    String toCsv() {
        StringJoiner peers = new StringJoiner(";");
        long sentTotal = 0;
        for (Map.Entry<String, Long> peer : sent.entrySet()) {
            peers.add(peer.getKey() + '=' + peer.getValue());
            sentTotal += peer.getValue();
        }
        // A request is counted as received before it is executed, so the difference may be negative for a moment.
        long asked = Math.max(0, reads - copies);
        long local = Math.max(0, asked - received);
        return epochMillis + "," + asked + ',' + rowCacheHits + ',' + rowCacheMisses + ',' + diskReads + ','
                + received + ',' + local + ',' + readStagePending + ',' + diskWaiting + ','
                + countersLed + ',' + counterQueue + ',' + moved + ',' + copies + ',' + coordinated + ',' + sentTotal
                + ',' + peers;
    }
}
