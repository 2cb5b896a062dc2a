// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import dev.isotherm.common.VirtualTime;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/**
 * Three replicas of every partition, each of them a coordinator too, in virtual time. A read goes to two of them; its
 * coordinator decides first, and each other replica by the same number. A write goes to all three.
 */
final class VirtualReplicas {
    private static final int REPLICAS = 3;
    private static final int NO_REPLICA = -1;
    private static final long PAUSE_NANOS = 50_000_000;
    /** Nobody asks just before the instant at which all do. */
    private static final long ROUNDING_NANOS = 1_000;

    final VirtualPool[] pools = new VirtualPool[REPLICAS];
    /** Operations served and refused on each partition. */
    long[] served;

    long[] refused;

    /** Whether the operations are writes. */
    boolean writes;

    /** Whether clients whose operations were refused ask again at the same instants, all of them at once. */
    boolean together;

    /** The coordinator whose reads go to the other two replicas, as where its guard avoids itself; -1 if none. */
    int avoidsItself = -1;

    /** Whether a coordinator reads from itself and, of the others, from the same first one; else any two are drawn. */
    boolean inFixedOrder;

    /** What coordinates all operations in the replicas' place; null if these do. */
    VirtualStranger stranger;

    /** Whether replicas tell the coordinators of writes, with their answers, which part they would admit. */
    boolean tellOfWrites;

    /** What each coordinator has been told of writes. */
    private final VirtualStranger[] told = new VirtualStranger[REPLICAS];

    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random;
    private final int[] clients;

    /** @param parallel operations that a replica serves at a time without taking longer */
    VirtualReplicas(int threads, int parallel, double[] costSeconds, long seed, FairShare.Listener listener) {
        random = new SplittableRandom(seed);
        clients = new int[costSeconds.length];
        for (int i = 0; i < REPLICAS; i++) {
            pools[i] = new VirtualPool(threads, costSeconds, seed + i, listener, time);
            pools[i].parallel = parallel;
            told[i] = new VirtualStranger(REPLICAS);
        }
        served = new long[costSeconds.length];
        refused = new long[costSeconds.length];
    }

    /** From now on operations read chunks of so many seconds, one after the other. */
    void readInChunks(int parallel, double seconds) {
        for (VirtualPool pool : pools) {
            pool.disk = new VirtualDisk(time, parallel, seconds);
        }
    }

    /** From now on so many operations are under way on the partitions from the first to before the end. */
    void underWay(int first, int end, int operations) {
        int mine = ++clients[first];
        for (int i = 0; i < operations; i++) {
            next(first, end, mine);
        }
    }

    private void next(int first, int end, int mine) {
        if (clients[first] != mine) {
            return;
        }
        int partition = first + random.nextInt(end - first);
        Runnable again = () -> {
            served[partition]++;
            next(first, end, mine);
        };
        if (!ask(partition, again)) {
            refused[partition]++;
            long pauseNanos = together ? PAUSE_NANOS - time.now() % PAUSE_NANOS + ROUNDING_NANOS : PAUSE_NANOS;
            time.after(pauseNanos * 1e-9, () -> next(first, end, mine));
        }
    }

    /** From now on an operation is asked for each so many seconds, whatever those before do; 0: no more. */
    void every(int partition, double seconds) {
        next(partition, seconds, ++clients[partition]);
    }

    private void next(int partition, double seconds, int mine) {
        if (clients[partition] != mine || seconds <= 0) {
            return;
        }
        if (!ask(partition, () -> served[partition]++)) {
            refused[partition]++;
        }
        time.after(seconds, () -> next(partition, seconds, mine));
    }

    private boolean ask(int partition, Runnable whenServed) {
        if (writes) {
            return write(partition, whenServed);
        }
        return stranger == null ? read(partition, whenServed) : readThroughStranger(partition, whenServed);
    }

    /** Whether the operation is admitted by what two replicas have told, and by two replicas. */
    private boolean readThroughStranger(int partition, Runnable whenServed) {
        int number = random.nextInt();
        double part = stranger.admitted(partition, REPLICAS - 1, time.now());
        if (ToldPart.refuses(part, number)) {
            return false;
        }
        int weight = Weight.of(part, random.nextDouble());
        return contact(partition, NO_REPLICA, random.nextInt(REPLICAS), () -> number, weight, whenServed);
    }

    /** Whether the operation is admitted by its coordinator and by two replicas. */
    private boolean read(int partition, Runnable whenServed) {
        int coordinator = random.nextInt(REPLICAS);
        FairShare own = pools[coordinator].shares;
        WatchedPartition watched = own.watched(partition + 1);
        int number = watched == null ? random.nextInt() : watched.nextNumber();
        int weight = watched == null ? 1 : watched.weight(random.nextDouble());
        if (own.refusing(partition + 1, 1, number, 1) != null) {
            return false;
        }
        int drawn = random.nextInt(REPLICAS);
        int left = coordinator == avoidsItself ? coordinator : inFixedOrder ? lastBeside(coordinator) : drawn;
        return contact(
                partition, coordinator, left, () -> watched == null ? random.nextInt() : number, weight, whenServed);
    }

    private static int lastBeside(int coordinator) {
        return coordinator == REPLICAS - 1 ? REPLICAS - 2 : REPLICAS - 1;
    }

    /** Sends a read to all replicas but the one that is left; whether those admit it that have not coordinated it. */
    private boolean contact(
            int partition, int coordinator, int left, IntSupplier number, int weight, Runnable whenServed) {
        int[] missing = {REPLICAS - 1};
        boolean admitted = true;
        for (int i = 0; i < REPLICAS; i++) {
            if (i == left) {
                continue;
            }
            int decides = number.getAsInt();
            WatchedPartition refusing =
                    i == coordinator ? null : pools[i].shares.refusing(partition + 1, 1, decides, weight);
            if (refusing != null) {
                admitted = false;
                if (stranger != null) {
                    stranger.hears(partition, i, refusing.admittedPart(), time.now());
                }
                continue;
            }
            // One replica may serve what another refuses, and in vain.
            pools[i].send(partition, () -> {
                if (--missing[0] == 0) {
                    whenServed.run();
                }
            });
        }
        if (stranger != null && !admitted) {
            stranger.refusedByReplicas++;
        }
        return admitted;
    }

    /**
     * Whether the operation is admitted by its coordinator, which decides alone: by its own shares if it is a replica,
     * and by what the replicas have told. All of them count it.
     */
    private boolean write(int partition, Runnable whenServed) {
        int coordinator = stranger == null ? random.nextInt(REPLICAS) : NO_REPLICA;
        VirtualStranger hearing = stranger == null ? told[coordinator] : stranger;
        FairShare own = stranger == null ? pools[coordinator].shares : null;
        WatchedPartition watched = own == null ? null : own.watched(partition + 1);
        int number = watched == null ? random.nextInt() : watched.nextNumber();
        if (own != null && own.refusing(partition + 1, 1, number, 1) != null) {
            return false;
        }
        double ownPart = watched == null ? 1 : watched.admittedPart();
        double part = Math.min(ownPart, hearing.admitted(partition, REPLICAS, time.now()));
        if (ToldPart.refuses(part, number)) {
            return false;
        }
        int weight = Weight.of(part, random.nextDouble());
        int[] missing = {REPLICAS};
        for (int i = 0; i < REPLICAS; i++) {
            int replica = i;
            if (i != coordinator) {
                pools[i].shares.refusing(partition + 1, 1, 0, weight);
            }
            pools[i].send(partition, () -> {
                if (tellOfWrites && replica != coordinator) {
                    tell(hearing, partition, replica);
                }
                if (--missing[0] == 0) {
                    whenServed.run();
                }
            });
        }
        return true;
    }

    private void tell(VirtualStranger coordinator, int partition, int replica) {
        WatchedPartition watched = pools[replica].shares.watched(partition + 1);
        if (watched != null && watched.isCut()) {
            coordinator.hears(partition, replica, watched.admittedPart(), time.now());
        }
    }

    /** Runs for so long, and counts anew. */
    void run(double seconds) {
        served = new long[served.length];
        refused = new long[refused.length];
        time.run(seconds);
    }
}
