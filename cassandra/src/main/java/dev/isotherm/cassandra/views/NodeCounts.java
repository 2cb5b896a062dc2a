// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.heat.HeatBalancing;
import dev.isotherm.cassandra.limit.LimitsInForce;
import dev.isotherm.cassandra.limit.PartitionLimiting;
import dev.isotherm.cassandra.wire.HeatIntake;

/** The counts of one node since it started, by name: the same for metrics and for the virtual table. */
public final class NodeCounts {
    private final Map<String, LongSupplier> counts = new LinkedHashMap<>();

    public NodeCounts(HeatBalancing heat, HeatIntake intake, PartitionLimiting limiting, Failures failures) {
        counts.put("BalancedReads", heat.ordering()::balancedReads);
        counts.put("UnchangedReads", heat.ordering()::unchangedReads);
        counts.put("PlansBuilt", heat::plansBuilt);
        counts.put("ReportsAccepted", intake::accepted);
        counts.put("ReportsMalformed", intake::malformed);
        LimitsInForce limits = limiting.limits();
        counts.put("LimitAdmitted", () -> limits.sum(c -> c.admittedReads) + limits.sum(c -> c.admittedWrites));
        counts.put("LimitRejected", () -> limits.sum(c -> c.rejectedReads) + limits.sum(c -> c.rejectedWrites));
        counts.put("LimitWouldReject", () -> limits.sum(c -> c.wouldRejectReads) + limits.sum(c -> c.wouldRejectWrites));
        counts.put("LimitPartlyApplied", () -> limits.sum(c -> c.partlyApplied));
        counts.put("LimitUncounted", limiting::uncounted);
        counts.put("LimitEvicted", limiting::evicted);
        counts.put("LimitUntold", limiting::untold);
        counts.put("LimitReportsSent", limiting.sharing()::told);
        counts.put("LimitReportsMalformed", limiting.sharing()::malformed);
        counts.put("LimitQuestionsUnanswered", limiting.questions()::unanswered);
        counts.put("Failures", failures::count);
    }

    Map<String, LongSupplier> byName() {
        return counts;
    }
}
