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
 * Decides by this node's own limiter, and notes the operations to report to the other replicas.
 *
 * <p>Several partitions are admitted all or none: if a later one is over its limit, the accounting of the earlier ones
 * is reversed.
 */
final class LocalDecisions {
    private final RuntimeSwitch enabled;
    private final PartitionLimiter limiter;
    private final AdmissionLedger<LimitedTable, Token> ledger;
    private final LongSupplier clock;
    private final Runnable tellNow;

    /**
     * @param clock nanoseconds, of the clock that the limiter needs
     * @param tellNow wakes the thread that reports to the other replicas
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
     * Decides about partitions of which this node is a replica, alone for all replicas, and tells these.
     *
     * @return the first that is over its limit; null if all are admitted
     */
    TouchedPartition refused(List<TouchedPartition> partitions, int random) {
        Decided decided = decide(partitions, random);
        tell(decided);
        return decided.refused;
    }

    /** The same, for a request that is not admitted yet: {@link #tell} or {@link #takeBack(Decided)} follows. */
    Decided decide(List<TouchedPartition> partitions, int random) {
        return decide(partitions, 1, random);
    }

    /**
     * Decides for a coordinator that is no replica and has every contacted replica decide by the same number.
     *
     * @param operations the fraction of an operation that each counts as on this node: less than one if not every
     *     replica is asked, so that the others need a report
     */
    TouchedPartition refusedAmongOthers(List<TouchedPartition> partitions, double operations, int random) {
        Decided decided = decide(partitions, operations, random);
        if (operations < 1) {
            tell(decided);
        }
        return decided.refused;
    }

    private Decided decide(List<TouchedPartition> partitions, double operations, int random) {
        if (partitions.isEmpty() || !enabled.isOn()) {
            return Decided.NOTHING;
        }
        long now = clock.getAsLong();
        Decision[] decisions = new Decision[partitions.size()];
        for (int i = 0; i < decisions.length; i++) {
            TouchedPartition partition = partitions.get(i);
            decisions[i] = limiter.admit(partition.id, partition.limit(), operations, random, now);
            if (decisions[i] == Decision.REJECTED) {
                if (!partition.table.dryRun) {
                    takeBack(partitions, decisions, i, operations, now);
                    return new Decided(List.of(), new Decision[0], operations, partition);
                }
                partition.table.counts.wouldReject(partition.operation);
            }
        }
        return new Decided(partitions, decisions, operations, null);
    }

    /** Has the other replicas told of what was admitted here, where it is near its limit. */
    void tell(Decided decided) {
        for (int i = 0; i < decided.decisions.length; i++) {
            if (decided.decisions[i] == Decision.ADMITTED_NEAR_LIMIT) {
                TouchedPartition partition = decided.partitions.get(i);
                double operations = decided.operations;
                // A fraction of a read is reported at once: another coordinator's next read may contact other replicas.
                if (ledger.note(partition.id, partition.limit(), operations, partition.table, partition.token)
                        || operations < 1) {
                    tellNow.run();
                }
            }
        }
    }

    /** Reverses the accounting of what nobody has been told of. */
    void takeBack(Decided decided) {
        takeBack(
                decided.partitions, decided.decisions, decided.decisions.length, decided.operations, clock.getAsLong());
    }

    private void takeBack(
            List<TouchedPartition> partitions, Decision[] decisions, int count, double operations, long now) {
        for (int i = 0; i < count; i++) {
            if (decisions[i].isAdmitted() && decisions[i] != Decision.ADMITTED_UNCOUNTED) {
                limiter.refund(partitions.get(i).id, partitions.get(i).limit(), operations, now);
            }
        }
    }

    /**
     * Reverses the accounting of {@link #refused} for partitions that it admitted for another node. A dry run admits
     * also what it does not account: there all stays accounted.
     */
    void takeBack(List<TouchedPartition> partitions) {
        long now = clock.getAsLong();
        for (TouchedPartition partition : partitions) {
            if (partition.table.dryRun) {
                continue;
            }
            limiter.refund(partition.id, partition.limit(), 1, now);
        }
    }

    /** Accounts operations that another replica admitted. */
    void account(long partition, int limit, double operations) {
        limiter.account(partition, limit, operations, clock.getAsLong());
    }
}
