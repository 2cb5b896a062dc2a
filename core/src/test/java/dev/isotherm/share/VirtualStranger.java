// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A coordinator that is no replica, in virtual time: it knows what each replica has told of each partition. */
final class VirtualStranger {
    /** The reads of which it has sent messages that a replica refused. */
    long refusedByReplicas;

    private final int replicas;
    private final Map<Integer, Word[]> words = new HashMap<>();

    private static final class Word {
        final double part;
        final long atNanos;

        Word(double part, long atNanos) {
            this.part = part;
            this.atNanos = atNanos;
        }
    }

    VirtualStranger(int replicas) {
        this.replicas = replicas;
    }

    void hears(int partition, int replica, double part, long nowNanos) {
        words.computeIfAbsent(partition, p -> new Word[replicas])[replica] = new Word(part, nowNanos);
    }

    double admitted(int partition, int contacted, long nowNanos) {
        Word[] told = words.getOrDefault(partition, new Word[replicas]);
        double[] parts = Arrays.stream(told)
                .mapToDouble(word -> word == null ? 1 : ToldPart.believed(word.part, nowNanos - word.atNanos))
                .toArray();
        return ToldPart.ofBest(parts, contacted);
    }
}
