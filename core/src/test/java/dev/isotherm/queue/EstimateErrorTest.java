// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * The estimate compared with a reference that knows the true queue, the messages on their way and the messages of other
 * nodes. The error is the messages that the peer served, less those of other nodes, plus those still on their way, all
 * since the peer read the depth that is believed; nothing else enters the error, whatever happens to the answers.
 */
class EstimateErrorTest {
    private static final int MESSAGE = -1;

    private static final class Answer {
        final int depth;
        final long sentWhenAsked;
        final long askedNanos;
        final long served;
        final long fromOthers;

        Answer(int depth, long sentWhenAsked, long askedNanos, long served, long fromOthers) {
            this.depth = depth;
            this.sentWhenAsked = sentWhenAsked;
            this.askedNanos = askedNanos;
            this.served = served;
            this.fromOthers = fromOthers;
        }
    }

    private final List<long[]> asked = new ArrayList<>();
    private final Queue<Integer> toPeer = new ArrayDeque<>();
    private final List<Answer> fromPeer = new ArrayList<>();
    private long ownOnTheWay;
    private int depth;
    private long served;
    private long fromOthers;
    private Answer believed;

    @Property(tries = 300, seed = "51")
    void theErrorIsWhatHappenedSinceAndNothingElse(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DepthEstimator peer = new DepthEstimator(new QueueSettings(100, 50, Long.MAX_VALUE / 4, 1000));
        asked.clear();
        toPeer.clear();
        fromPeer.clear();
        ownOnTheWay = depth = 0;
        served = fromOthers = 0;
        believed = null;
        long now = random.nextLong();
        int othersPerHundred = random.nextInt(60);
        for (int step = 0; step < 600; step++) {
            now += random.nextInt(3);
            int kind = random.nextInt(100 + othersPerHundred);
            if (kind >= 100) {
                depth++;
                fromOthers++;
            } else if (kind < 30) {
                peer.sent();
                ownOnTheWay++;
                toPeer.add(MESSAGE);
            } else if (kind < 35) {
                toPeer.add(asked.size());
                asked.add(new long[] {peer.sentCount(), now});
            } else if (kind < 70) {
                arrive();
            } else if (kind < 85 && depth > 0) {
                depth--;
                served++;
            } else if (!fromPeer.isEmpty()) {
                answer(peer, random, now);
            }
            check(peer, now);
        }
    }

    /** Messages and questions arrive in the order they were sent. */
    private void arrive() {
        Integer first = toPeer.poll();
        if (first == null) {
            return;
        }
        if (first == MESSAGE) {
            ownOnTheWay--;
            depth++;
        } else {
            long[] question = asked.get(first);
            fromPeer.add(new Answer(depth, question[0], question[1], served, fromOthers));
        }
    }

    /** Answers come in any order, are lost, or come twice. */
    private void answer(DepthEstimator peer, SplittableRandom random, long now) {
        int which = random.nextInt(fromPeer.size());
        int fate = random.nextInt(4);
        Answer answer = fate == 0 ? fromPeer.get(which) : fromPeer.remove(which);
        if (fate == 1) {
            return;
        }
        boolean newest = believed == null
                || answer.askedNanos >= believed.askedNanos && answer.sentWhenAsked >= believed.sentWhenAsked;
        assertEquals(newest, peer.answered(answer.depth, answer.sentWhenAsked, answer.askedNanos, now));
        if (newest) {
            believed = answer;
        }
    }

    private void check(DepthEstimator peer, long now) {
        if (believed == null) {
            assertEquals(QueueDepth.UNKNOWN, peer.estimate(now));
            return;
        }
        long error = served - believed.served - (fromOthers - believed.fromOthers) + ownOnTheWay;
        assertEquals(depth + error, peer.estimate(now));
        assertTrue(
                peer.estimate(now) >= depth - (fromOthers - believed.fromOthers), "own messages are never forgotten");
        assertEquals(now - believed.askedNanos, peer.ageNanos(now));
    }
}
