// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.Allowed;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The peers that left a question unanswered. They get no question that a request waits for until one of them is
 * answered in time again.
 *
 * <p>A silent peer gets trials instead, for which nobody waits: at growing intervals, and at once after an answer that
 * came too late, because the peer lives. A peer that is always late therefore stays silent and delays no request.
 *
 * <p>Thread safe. Queries take no lock and allocate nothing. All instants are of one monotonic clock.
 */
public final class SilentPeers<N> {
    /** Most of what goes wrong for a moment is over by then. */
    static final long FIRST_INTERVAL_NANOS = 250_000_000L;

    static final long LONGEST_INTERVAL_NANOS = 16_000_000_000L;

    /** Immutable: it is replaced by a compare-and-set of the map. */
    private static final class Silence {
        final long intervalNanos;
        final long nextTrialNanos;

        Silence(long intervalNanos, long nextTrialNanos) {
            this.intervalNanos = intervalNanos;
            this.nextTrialNanos = nextTrialNanos;
        }

        boolean isDue(long nowNanos) {
            return nowNanos - nextTrialNanos >= 0;
        }
    }

    private final long patienceNanos;
    private final Map<N, Silence> silences = new ConcurrentHashMap<>();

    /** @param patienceNanos the time within which an answer is in time, 1 or above */
    public SilentPeers(long patienceNanos) {
        if (patienceNanos < 1) {
            throw Allowed.refusal("patienceNanos", patienceNanos, "1 or above");
        }
        this.patienceNanos = patienceNanos;
    }

    public boolean isSilent(N peer) {
        return silences.containsKey(peer);
    }

    /** Claims the trial that is due: true for one caller, who then sends the peer a question and does not wait. */
    public boolean claimTrial(N peer, long nowNanos) {
        Silence silence = silences.get(peer);
        if (silence == null || !silence.isDue(nowNanos)) {
            return false;
        }
        long interval = Math.min(2 * silence.intervalNanos, LONGEST_INTERVAL_NANOS);
        return silences.replace(peer, silence, new Silence(interval, nowNanos + interval));
    }

    /** Notes that a request has waited patiently for a peer's answer in vain. */
    public void unanswered(N peer, long nowNanos) {
        silences.putIfAbsent(peer, new Silence(FIRST_INTERVAL_NANOS, nowNanos + FIRST_INTERVAL_NANOS));
    }

    /**
     * Notes that a question could not be sent, or that its answer is no longer expected. The second says nothing new:
     * the peer may have answered others since.
     */
    public void failed(N peer, long askedNanos, long nowNanos) {
        if (isInTime(askedNanos, nowNanos)) {
            unanswered(peer, nowNanos);
        }
    }

    /** Notes an answer, of a trial or of any other question, however late. */
    public void answered(N peer, long askedNanos, long nowNanos) {
        Silence silence = silences.get(peer);
        if (silence == null) {
            return;
        }
        if (isInTime(askedNanos, nowNanos)) {
            silences.remove(peer);
        } else if (!silence.isDue(nowNanos)) {
            // If it fails, another thread has claimed a trial or heard an answer at the same time.
            silences.replace(peer, silence, new Silence(silence.intervalNanos, nowNanos));
        }
    }

    private boolean isInTime(long askedNanos, long nowNanos) {
        return nowNanos - askedNanos <= patienceNanos;
    }

    /**
     * Forgets the silent peers that nobody wanted to ask for so long that their trial is overdue by the longest
     * interval: they may have left the cluster.
     */
    public void sweep(long nowNanos) {
        silences.values().removeIf(silence -> silence.isDue(nowNanos - LONGEST_INTERVAL_NANOS));
    }

    int size() {
        return silences.size();
    }
}
