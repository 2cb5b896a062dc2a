// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Linearizability while no slot is taken over: for every interleaving no time is lost and none counts twice. */
@Param(name = "partition", gen = IntGen.class, conf = "1:2")
public class ServedTimeLincheckTest {
    private static final long NANOS = 1_024;

    private final ServedTime times = new ServedTime(ServedTime.WAYS, 1);

    @Operation
    public void add(@Param(name = "partition") int partition) {
        times.add(partition, NANOS);
    }

    @Operation
    public long nanosOf(@Param(name = "partition") int partition) {
        return times.nanosOf(partition);
    }

    @Operation(nonParallelGroup = "looker")
    public void forget() {
        times.decay(0);
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(ServedTimeLincheckTest.class);
    }

    /** What is added to a slot as it is let go is its partition's or nobody's: the next one does not inherit it. */
    @Test
    void whoTakesASlotThatWasLetGoInheritsNothing() throws NoSuchMethodException {
        check(List.of(actor("add", 1)), List.of(actor("add", 1)));
        check(List.of(actor("add", 1)), List.of(actor("add", 2)));
        check(List.of(), List.of(actor("add", 1), actor("nanosOf", 1)));
    }

    /** Nor does the next one inherit from who takes a slot over as it is let go. */
    @Test
    void whoTakesOverASlotThatIsBeingLetGoKeepsItOrLeavesNothing() throws NoSuchMethodException {
        List<Actor> full = new ArrayList<>();
        for (int partition = 11; partition < 11 + ServedTime.WAYS; partition++) {
            full.add(actor("add", partition));
        }
        check(full, List.of(actor("add", 1)));
    }

    /** Lets one thread act while another lets go of every slot; then partition 3 takes the first that is free. */
    private static void check(List<Actor> before, List<Actor> meanwhile) throws NoSuchMethodException {
        List<Actor> after = List.of(actor("add", 3), actor("nanosOf", 3), actor("nanosOf", 1), actor("nanosOf", 2));
        new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(1_000)
                .addCustomScenario(
                        new ExecutionScenario(before, List.of(meanwhile, List.of(actor("forget"))), after, null))
                .check(ServedTimeLincheckTest.class);
    }

    private static Actor actor(String name, Object... arguments) throws NoSuchMethodException {
        Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {int.class};
        return new Actor(ServedTimeLincheckTest.class.getMethod(name, types), List.of(arguments));
    }
}
