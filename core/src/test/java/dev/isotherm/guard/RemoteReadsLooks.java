// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** The reads of one other replica, look by look. */
abstract class RemoteReadsLooks {
    static final long MS = 1_000_000;
    static final long SECOND = 1_000 * MS;

    final Evidence seen = new Evidence();
    long now = -SECOND;
    long giveUp = 5 * SECOND;
    RemoteReads replica = new RemoteReads(GuardSettings.defaults(), () -> giveUp, () -> 2 * giveUp, false, now);
    long id;

    Evidence look() {
        replica.see(seen, now);
        return seen;
    }

    void read(long roundTripNanos) {
        replica.sent(++id, now - roundTripNanos);
        replica.answered(id, now);
    }

    void learn(int answers, long roundTripNanos) {
        now += 10 * SECOND;
        for (int i = 0; i < answers; i++) {
            read(roundTripNanos);
        }
        replica.learn(true);
        look();
    }
}
