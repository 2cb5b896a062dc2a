// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.heat.HeatBalancing;
import dev.isotherm.cassandra.wire.HeatIntake;

/** The counts of one node since it started, by name: the same for metrics and for the virtual table. */
public final class NodeCounts {
    private final Map<String, LongSupplier> counts = new LinkedHashMap<>();

    public NodeCounts(HeatBalancing heat, HeatIntake intake, Failures failures) {
        counts.put("BalancedReads", heat.ordering()::balancedReads);
        counts.put("UnchangedReads", heat.ordering()::unchangedReads);
        counts.put("PlansBuilt", heat::plansBuilt);
        counts.put("ReportsAccepted", intake::accepted);
        counts.put("ReportsMalformed", intake::malformed);
        counts.put("Failures", failures::count);
    }

    Map<String, LongSupplier> byName() {
        return counts;
    }
}
