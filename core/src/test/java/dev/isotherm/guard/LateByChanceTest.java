// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads that take long now and then, on every node, as of large partitions. */
class LateByChanceTest {
    private static final int LOOKS_A_SECOND = 100;

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final ReadGuard<String> guard = cluster.guard;
    private int looksUntilAnswered = 200;
    private final Deque<Runnable> answers = new ArrayDeque<>();
    private final Deque<Long> due = new ArrayDeque<>();

    /** A read of each replica; the answer comes after so many looks. */
    private void readOf(String replica, int looks) {
        long id = cluster.send(replica);
        answers.add(() -> guard.answered(replica, id, cluster.now));
        due.add(cluster.now + looks * ReadGuard.LOOK_NANOS);
    }

    private void look() {
        cluster.now += ReadGuard.LOOK_NANOS;
        while (!due.isEmpty() && cluster.now - due.peek() >= 0) {
            due.remove();
            answers.remove().run();
        }
        guard.look(cluster.now);
    }

    /** Arrivals and their durations by chance; quick reads take 5 ms. */
    @ParameterizedTest
    @CsvSource({"400, 0.004, 1", "400, 0.004, 2", "400, 0.008, 3", "100, 0.004, 4", "40, 0.004, 5", "1500, 0.004, 6"})
    void noReplicaIsAvoidedForThem(int readsPerSecond, double part, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        cluster.learnTheUsual();
        read(30, readsPerSecond, part, random);
        cluster.log.clear(); // The first half minute tells how many are usual.
        read(300, readsPerSecond, part, random);
        assertTrue(cluster.log.size() <= 2, cluster.log::toString);
    }

    /** One in twenty takes 0.3 s for half a minute and none for the next, as of jobs that come again and again. */
    @ParameterizedTest
    @CsvSource({"400, 1", "100, 2", "40, 3"})
    void norForThoseOfAJobThatComesEachMinute(int readsPerSecond, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        cluster.learnTheUsual();
        looksUntilAnswered = 30;
        read(30, readsPerSecond, 0.05, random);
        cluster.log.clear(); // The first tells what is usual.
        for (int job = 0; job < 5; job++) {
            read(30, readsPerSecond, 0, random);
            read(30, readsPerSecond, 0.05, random);
        }
        assertEquals(List.of(), cluster.log);
    }

    private void read(int seconds, int readsPerSecond, double part, SplittableRandom random) {
        for (int look = 0; look < seconds * LOOKS_A_SECOND; look++) {
            for (String replica : new String[] {A, B}) {
                for (double at = random.nextDouble(); at < readsPerSecond / (double) LOOKS_A_SECOND; at++) {
                    if (random.nextDouble() < part) {
                        readOf(replica, looksUntilAnswered);
                    } else {
                        cluster.read(replica, 5 * MS);
                    }
                }
            }
            look();
        }
    }

    /** A coordinator of few reads sees three that wait; that they wait for long makes them no fewer. */
    @Test
    void whereOneInSixOfFewReadsHangsTheReplicaIsAvoided() {
        cluster.learnTheUsual();
        for (int look = 0; look < 4 * LOOKS_A_SECOND; look++) {
            if (look % 10 == 0) {
                cluster.read(A, 5 * MS);
                cluster.read(B, 5 * MS);
            }
            if (look % 50 == 0) {
                cluster.send(B);
            }
            look();
        }
        assertEquals(1, cluster.log.size(), cluster.log::toString);
        assertTrue(cluster.log.get(0).startsWith("b: 4 of its last "), cluster.log::toString);
    }

    /** Beside those that are usual, a disk that hangs shows as soon. */
    @Test
    void aFaultShowsBesideThem() {
        noReplicaIsAvoidedForThem(400, 0.004, 1);
        int before = cluster.log.size();
        for (int look = 0; look < 20; look++) {
            for (int read = 0; read < 4; read++) {
                cluster.read(A, 5 * MS);
                if (read % 3 == 0) {
                    cluster.send(B);
                } else {
                    cluster.read(B, 5 * MS);
                }
            }
            look();
        }
        assertEquals(before + 1, cluster.log.size(), cluster.log::toString);
    }
}
