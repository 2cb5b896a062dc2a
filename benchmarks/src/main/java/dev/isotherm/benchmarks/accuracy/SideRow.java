// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The result of a side experiment: a row as in the table, and the experiment's further values. */
final class SideRow {
    @JsonProperty
    final String experiment;

    @JsonUnwrapped
    final Row row;

    private final Map<String, Double> more = new LinkedHashMap<>();

    SideRow(String experiment, Row row) {
        this.experiment = experiment;
        this.row = row;
    }

    void put(String name, double value) {
        more.put(name, value);
    }

    @JsonAnyGetter
    Map<String, Double> more() {
        return more;
    }

    /** The row as a line of a Markdown table. */
    String line() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "| %s | %,d | %s x | %s | %s | %.3f | %.2f |",
                experiment,
                row.limit(),
                row.offered(),
                row.kind().replace('_', ' '),
                row.counter(),
                row.steady,
                row.firstSecond));
        more.forEach(
                (name, value) -> text.append(String.format(Locale.ROOT, " %s %.4g;", name.replace('_', ' '), value)));
        return text.append(" |").toString();
    }
}
