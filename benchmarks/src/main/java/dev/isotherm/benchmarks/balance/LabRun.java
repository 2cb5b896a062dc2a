// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the lab measured on three real nodes under the load of a scenario; see docs/experiments.md. */
final class LabRun {
    private static final double MOST_OFF = 0.25;

    private final double rejoinedSeconds;
    private final double missesOfWarm;
    private final double missesOfCold;

    /**
     * @param missesOfWarm misses per second of a warm node in the first 5 s after the return; NaN if not measured
     * @param missesOfCold those of the cold node
     */
    LabRun(double rejoinedSeconds, double missesOfWarm, double missesOfCold) {
        this.rejoinedSeconds = rejoinedSeconds;
        this.missesOfWarm = missesOfWarm;
        this.missesOfCold = missesOfCold;
    }

    /** Each figure that the simulation has further off than by a quarter. */
    List<Fault> faults(Outcome outcome) {
        return Promises.present(
                off("rejoined after s", outcome.rejoinedSeconds, rejoinedSeconds),
                off("misses/s of a warm node", outcome.firstMissesOfWarm, missesOfWarm),
                off("misses/s of the cold node", outcome.firstMissesOfCold, missesOfCold));
    }

    /** What was measured, by the names that simulated figures have. */
    Map<String, Object> summary() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("rejoined_s", rejoinedSeconds);
        values.put("first_misses_of_warm", Double.isNaN(missesOfWarm) ? null : missesOfWarm);
        values.put("first_misses_of_cold", Double.isNaN(missesOfCold) ? null : missesOfCold);
        return values;
    }

    /** What was simulated and measured. */
    String beside(Outcome outcome) {
        return String.format(
                Locale.ROOT,
                "simulated and measured: rejoined after %.1f and %.1f s; misses/s in the first 5 s of a warm node %.0f and"
                        + " %.0f, of the cold one %.0f and %.0f",
                outcome.rejoinedSeconds,
                rejoinedSeconds,
                outcome.firstMissesOfWarm,
                missesOfWarm,
                outcome.firstMissesOfCold,
                missesOfCold);
    }

    private static Fault off(String what, double simulated, double measured) {
        // Nodes that never rejoin are as far off as can be.
        double times =
                Double.isNaN(simulated) ? Double.POSITIVE_INFINITY : Math.abs(simulated / measured - 1) / MOST_OFF;
        return Double.isNaN(measured)
                ? null
                : Promises.beyond(times, "%s: simulated %.1f, measured in the lab %.1f", what, simulated, measured);
    }
}
