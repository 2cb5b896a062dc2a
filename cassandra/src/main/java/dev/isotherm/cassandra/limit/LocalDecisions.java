// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.Decision;
import dev.isotherm.limit.PartitionLimiter;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.cassandra.dht.Token;

/**
 * Decides by this node's own memory of its partitions, and notes what the other replicas are to be told.
 *
 * <p>Several partitions are admitted all or none: what the first of them had accounted is taken back when a later one
 * is over its limit.
 */
final class LocalDecisions {
    private final RuntimeSwitch enabled;
    private final PartitionLimiter limiter;
    private final AdmissionLedger<LimitedTable, Token> ledger;
    private final LongSupplier clock;
    private final Runnable tellNow;

    /**
     * @param clock nanoseconds, of the kind the limiter asks for
     * @param tellNow wakes whoever tells the other replicas
     */
    LocalDecisions(
            RuntimeSwitch enabled,
            PartitionLimiter limiter,
            AdmissionLedger<LimitedTable, Token> ledger,
            LongSupplier clock,
            Runnable tellNow) {
        this.enabled = enabled;
        this.limiter = limiter;
        this.ledger = ledger;
        this.clock = clock;
        this.tellNow = tellNow;
    }

    /**
     * Decides for partitions of which this node is a replica, alone for all replicas.
     *
     * @return the first that is over its limit; null when all are admitted
     */
    TouchedPartition refused(List<TouchedPartition> partitions, int random) {
        return refused(partitions, 1, random, true);
    }

    /**
     * Decides for a coordinator that is no replica and lets every replica decide by the same number.
     *
     * @param operations for how much of an operation each counts here: less than one when not every replica is asked,
     *     so that those which are not have to be told
     */
    TouchedPartition refusedAmongOthers(List<TouchedPartition> partitions, double operations, int random) {
        return refused(partitions, operations, random, operations < 1);
    }

    private TouchedPartition refused(List<TouchedPartition> partitions, double operations, int random, boolean tells) {
        if (!enabled.isOn()) {
            return null;
        }
        long now = clock.getAsLong();
        Decision[] decisions = new Decision[partitions.size()];
        for (int i = 0; i < decisions.length; i++) {
            TouchedPartition partition = partitions.get(i);
            decisions[i] = limiter.admit(partition.id, partition.limit(), operations, random, now);
            if (decisions[i] == Decision.REJECTED) {
                if (!partition.table.dryRun) {
                    takeBack(partitions, decisions, i, operations, now);
                    return partition;
                }
                partition.table.counts.wouldReject(partition.operation);
            }
        }
        for (int i = 0; tells && i < decisions.length; i++) {
            if (decisions[i] == Decision.ADMITTED_NEAR_LIMIT) {
                TouchedPartition partition = partitions.get(i);
                // A part of a read is told at once: another coordinator's next read meets other replicas.
                if (ledger.note(partition.id, partition.limit(), operations, partition.table, partition.token)
                        || operations < 1) {
                    tellNow.run();
                }
            }
        }
        return null;
    }

    private void takeBack(
            List<TouchedPartition> partitions, Decision[] decisions, int count, double operations, long now) {
        for (int i = 0; i < count; i++) {
            if (decisions[i].isAdmitted() && decisions[i] != Decision.ADMITTED_UNCOUNTED) {
                limiter.refund(partitions.get(i).id, partitions.get(i).limit(), operations, now);
            }
        }
    }

    /** Takes back what {@link #refused} accounted for partitions that it admitted. */
    void takeBack(List<TouchedPartition> partitions) {
        long now = clock.getAsLong();
        for (TouchedPartition partition : partitions) {
            limiter.refund(partition.id, partition.limit(), 1, now);
        }
    }

    /** Accounts what another replica admitted. */
    void account(long partition, int limit, double operations) {
        limiter.account(partition, limit, operations, clock.getAsLong());
    }
}
