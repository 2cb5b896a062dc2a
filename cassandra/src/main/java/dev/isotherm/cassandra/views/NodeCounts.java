// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.heat.HeatBalancing;
import dev.isotherm.cassandra.limit.LimitsInForce;
import dev.isotherm.cassandra.limit.PartitionLimiting;
import dev.isotherm.cassandra.queue.CounterLeaders;
import dev.isotherm.cassandra.queue.DecisionCounts;
import dev.isotherm.cassandra.wire.HeatIntake;
import dev.isotherm.queue.DecisionKind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** The counts of one node since it started, by name: the same for metrics and for the virtual table. */
public final class NodeCounts {
    private final Map<String, LongSupplier> counts = new LinkedHashMap<>();

    public NodeCounts(
            HeatBalancing heat,
            HeatIntake intake,
            PartitionLimiting limiting,
            CounterLeaders leaders,
            Failures failures) {
        counts.put("BalancedReads", heat.ordering()::balancedReads);
        counts.put("UnchangedReads", heat.ordering()::unchangedReads);
        counts.put("PlansBuilt", heat::plansBuilt);
        counts.put("ReportsAccepted", intake::accepted);
        counts.put("ReportsMalformed", intake::malformed);
        LimitsInForce limits = limiting.limits();
        counts.put("LimitAdmitted", () -> limits.sum(c -> c.admittedReads) + limits.sum(c -> c.admittedWrites));
        counts.put("LimitRejected", () -> limits.sum(c -> c.rejectedReads) + limits.sum(c -> c.rejectedWrites));
        counts.put(
                "LimitWouldReject", () -> limits.sum(c -> c.wouldRejectReads) + limits.sum(c -> c.wouldRejectWrites));
        counts.put("LimitPartlyApplied", () -> limits.sum(c -> c.partlyApplied));
        counts.put("LimitUncounted", limiting::uncounted);
        counts.put("LimitEvicted", limiting::evicted);
        counts.put("LimitUntold", limiting::untold);
        counts.put("LimitReportsSent", limiting.sharing()::told);
        counts.put("LimitReportsMalformed", limiting.sharing()::malformed);
        counts.put("LimitQuestionsUnanswered", limiting.questions()::unanswered);
        DecisionCounts decisions = leaders.counts();
        for (DecisionKind kind : DecisionKind.values()) {
            counts.put("Leader" + inCamelCase(kind), () -> decisions.of(kind));
        }
        // What Riak counts too, under its names.
        counts.put("coord_local_unloaded", () -> decisions.of(DecisionKind.LOCAL));
        counts.put("coord_local_soft_loaded", () -> decisions.of(DecisionKind.LOCAL_OVER_LIMIT));
        counts.put("coord_redir_loaded_local", decisions::redirectedFromReplica);
        counts.put(
                "coord_redir_unloaded",
                () -> decisions.of(DecisionKind.REDIRECTED) - decisions.redirectedFromReplica());
        counts.put("coord_redir_least_loaded", () -> decisions.of(DecisionKind.LEAST_LOADED));
        counts.put("vnode_mbox_check_timeout", decisions::timeouts);
        counts.put("QueueQuestionsAsked", leaders.questions()::asked);
        counts.put("QueueDepthsMalformed", leaders.questions()::malformed);
        counts.put("Failures", failures::count);
    }

    private static String inCamelCase(DecisionKind kind) {
        return Arrays.stream(kind.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    Map<String, LongSupplier> byName() {
        return counts;
    }
}
