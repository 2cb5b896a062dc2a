// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each replica gets of a read, and what choosing costs, where many nodes have asked for copies. */
class InvitationsOfManyTest {
    private static final int READS = 40_000;

    private Invitations<String, String> invitations = new Invitations<>(3_000);

    /** The chance of each replica: those that are drawn and serve share the read. */
    private static double[] chances(double[] drawn) {
        double[] chances = new double[drawn.length];
        for (int set = 1; set < 1 << drawn.length; set++) {
            double chance = 1;
            for (int i = 0; i < drawn.length; i++) {
                chance *= (set >> i & 1) == 1 ? drawn[i] : 1 - drawn[i];
            }
            for (int i = 0; i < drawn.length; i++) {
                chances[i] += (set >> i & 1) == 1 ? chance / Integer.bitCount(set) : 0;
            }
        }
        return chances;
    }

    @Property(tries = 40, seed = "11")
    void eachReplicaGetsItsPartWhoeverElseHasAsked(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int size, @ForAll @IntRange(max = 400) int others) {
        invitations = new Invitations<>(3_000);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < others; i++) {
            invitations.invited("other" + i, 1, Set.of("t"), 0);
        }
        List<String> replicas = new ArrayList<>();
        Set<String> serving = Set.of("r0", "r1", "r2", "r4");
        double[] drawn = new double[size];
        for (int i = 0; i < size; i++) {
            replicas.add("r" + i);
            double fraction = random.nextDouble();
            boolean wants = random.nextInt(3) > 0;
            if (random.nextInt(3) > 0) {
                invitations.invited("r" + i, fraction, Set.of(wants ? "t" : "u", "v"), 0);
                drawn[i] = wants && serving.contains("r" + i) ? fraction : 0;
            }
        }
        Map<String, Integer> counts = new HashMap<>();
        for (int read = 0; read < READS; read++) {
            String node =
                    invitations.choose("t", random::nextDouble, 0, new ListedReplicas(replicas, serving::contains));
            counts.merge(node == null ? "none" : node, 1, Integer::sum);
        }
        double[] chances = chances(drawn);
        for (int i = 0; i < size; i++) {
            double expected = READS * chances[i];
            double most = 5 * Math.sqrt(expected * (1 - chances[i])) + 1e-6;
            assertEquals(expected, counts.getOrDefault("r" + i, 0), most, "r" + i);
        }
    }

    /** With replicas that ask for copies among them, and without. */
    @ParameterizedTest
    @ValueSource(ints = {3, 333, 999})
    void aReadCostsAsMuchHoweverManyHaveAsked(int asking) {
        for (int i = 0; i < asking; i++) {
            invitations.invited("n" + i, 0.5, Set.of("t"), 0);
        }
        SplittableRandom random = new SplittableRandom(asking);
        int[] drawn = new int[1];
        for (int read = 0; read < 1_000; read++) {
            String third = read % 2 == 0 ? "n2" : "warm";
            ListedReplicas replicas = ListedReplicas.serving("n0", "n1", third);
            drawn[0] = 0;
            invitations.choose(
                    "t",
                    () -> {
                        drawn[0]++;
                        return random.nextDouble();
                    },
                    0,
                    replicas);
            assertTrue(replicas.asked <= 6, () -> replicas.asked + " looks at replicas");
            assertTrue(drawn[0] <= 6, () -> drawn[0] + " random numbers");
        }
    }

    @Test
    void theReplicasOfATableThatNoNodeHasAskedForNeedNotBeKnown() {
        assertFalse(invitations.mayWant("t"));
        invitations.invited("a", 1, Set.of("t"), 0);
        invitations.invited("b", 1, Set.of("t", "u"), 1);
        assertTrue(invitations.mayWant("t") && invitations.mayWant("u"));
        assertFalse(invitations.mayWant("v"));
        invitations.invited("b", 1, Set.of("v"), 2);
        assertTrue(invitations.mayWant("v"));
        invitations.expire(3);
        assertFalse(invitations.mayWant("u"), "nobody asks for it any more");
        invitations.expire(3_000);
        assertFalse(invitations.mayWant("t"), "ended");
        assertTrue(invitations.mayWant("v"));
        invitations.invited("b", 1, Set.of(), 3_000);
        assertFalse(invitations.mayWant("v"), "taken back");
    }
}
