// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class TypicalOfOthersTest {
    @Property(tries = 1_000, seed = "72")
    void itIsTheMedianOfAllButOne(@ForAll @Size(max = 7) List<@IntRange(min = -1, max = 5) Integer> figures) {
        TypicalOfOthers typical = new TypicalOfOthers();
        List<ReadWatch> nodes = new ArrayList<>();
        for (int filled = 0; filled < 2; filled++) { // An object that is filled again forgets what it held.
            typical.clear();
            nodes.clear();
            for (int figure : figures) {
                nodes.add(new KnownReads(figure, figure, 1));
                typical.add(nodes.get(nodes.size() - 1), figure);
                typical.without(nodes.get(0));
            }
        }
        for (int one = 0; one < figures.size(); one++) {
            int without = one;
            int[] others = IntStream.range(0, figures.size())
                    .filter(other -> other != without && figures.get(other) >= 0)
                    .map(figures::get)
                    .sorted()
                    .toArray();
            long exact = others.length == 0 ? -1 : others[(others.length - 1) / 2];
            assertEquals(exact, typical.without(nodes.get(one)));
        }
        assertEquals(-1, typical.without(new KnownReads(1, 1, 1)), "one that was not added");
    }
}
