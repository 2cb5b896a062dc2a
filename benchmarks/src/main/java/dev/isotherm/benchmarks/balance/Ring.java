// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Which nodes hold which partitions. Every node has so many ranges of equal length, as Cassandra's allocation of
 * tokens aims at; with a multiple of three nodes there are three racks, node i in rack i mod 3. Every datacenter has so
 * many nodes, one after the other, with racks and replicas of its own; their tokens alternate.
 */
final class Ring {
    private final int[][] replicas;
    /** For each range and replica the number that the range's first partition has on that node. */
    private final int[][] firstRows;

    private final int[] groups;
    private final int[] rows;
    private final int partitionsPerRange;

    /** @param replicationFactor in each datacenter */
    Ring(
            int nodes,
            int datacenters,
            int vnodes,
            int replicationFactor,
            int partitionsPerNode,
            SplittableRandom random) {
        int ranges = nodes * vnodes;
        int all = replicationFactor * datacenters;
        int perDatacenter = nodes / datacenters;
        int[] owners = owners(perDatacenter, datacenters, vnodes, replicationFactor, random);
        partitionsPerRange = Math.max(1, Math.round((float) partitionsPerNode / (vnodes * all)));
        replicas = new int[ranges][];
        firstRows = new int[ranges][all];
        rows = new int[nodes];
        groups = new int[ranges];
        Map<List<Integer>, Integer> known = new HashMap<>();
        for (int range = 0; range < ranges; range++) {
            replicas[range] = next(owners, range, replicationFactor, datacenters, perDatacenter);
            List<Integer> group = Arrays.stream(replicas[range]).boxed().collect(Collectors.toList());
            groups[range] = known.computeIfAbsent(group, g -> known.size());
            for (int i = 0; i < all; i++) {
                firstRows[range][i] = rows[replicas[range][i]];
                rows[replicas[range][i]] += partitionsPerRange;
            }
        }
    }

    /** The owner of each range. */
    private static int[] owners(
            int perDatacenter, int datacenters, int vnodes, int replicationFactor, SplittableRandom random) {
        int nodes = perDatacenter * datacenters;
        int[] owners = new int[nodes * vnodes];
        int racks = replicationFactor == 3 && perDatacenter % 3 == 0 ? 3 : 1;
        int perRack = perDatacenter / racks;
        for (int vnode = 0; vnode < vnodes; vnode++) {
            for (int rack = 0; rack < racks; rack++) {
                for (int datacenter = 0; datacenter < datacenters; datacenter++) {
                    int[] order = shuffled(perRack, random);
                    for (int i = 0; i < perRack; i++) {
                        owners[vnode * nodes + (i * racks + rack) * datacenters + datacenter] =
                                datacenter * perDatacenter + order[i] * racks + rack;
                    }
                }
            }
        }
        return owners;
    }

    private static int[] shuffled(int size, SplittableRandom random) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    /** The owner of a range and the next different nodes: so many in each datacenter. */
    private static int[] next(int[] owners, int range, int each, int datacenters, int perDatacenter) {
        int[] found = new int[each * datacenters];
        int[] sizes = new int[datacenters];
        int size = 0;
        for (int at = range; size < found.length; at++) {
            int owner = owners[at % owners.length];
            int datacenter = owner / perDatacenter;
            boolean isNew = sizes[datacenter] < each;
            for (int i = 0; i < size; i++) {
                isNew &= found[i] != owner;
            }
            if (isNew) {
                found[size++] = owner;
                sizes[datacenter]++;
            }
        }
        return found;
    }

    int partitions() {
        return replicas.length * partitionsPerRange;
    }

    int ranges() {
        return replicas.length;
    }

    /** The number of a range's replica group: ranges with the same replicas in the same order have the same plan. */
    int groupOf(int range) {
        return groups[range];
    }

    int rangeOf(int partition) {
        return partition / partitionsPerRange;
    }

    /** The replicas of a range in all datacenters, in the ring's order; not to be changed. */
    int[] replicasOf(int range) {
        return replicas[range];
    }

    /** The number of a partition among those of the replica at a place of its range. */
    int rowOf(int partition, int place) {
        return firstRows[partition / partitionsPerRange][place] + partition % partitionsPerRange;
    }

    /** The number of partitions that a node holds. */
    int rowsOf(int node) {
        return rows[node];
    }
}
