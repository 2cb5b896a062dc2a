// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;

/** The operator's settings for the choice of a leader. Immutable and valid. */
public final class QueueSettings {
    private static final QueueSettings DEFAULTS = new QueueSettings(100, 50, 1_000_000_000, 100_000_000);

    private final int softLimit;
    private final int askEvery;
    private final long silenceNanos;
    private final long timeoutNanos;

    /**
     * @param softLimit a queue shorter than this is short, in messages, 1 to {@link QueueDepth#MAX}
     * @param askEvery a peer is asked again after this many messages to it without an answer, 1 to
     *     {@link QueueDepth#MAX}
     * @param silenceNanos age at which an answer no longer counts, 1 or above
     * @param timeoutNanos how long a decision may wait for answers, 1 or above
     * @throws IllegalArgumentException naming the setting, its value and what is allowed
     */
    public QueueSettings(int softLimit, int askEvery, long silenceNanos, long timeoutNanos) {
        if (softLimit < 1 || softLimit > QueueDepth.MAX) {
            throw Allowed.refusal("softLimit", softLimit, "1 to " + QueueDepth.MAX);
        }
        if (askEvery < 1 || askEvery > QueueDepth.MAX) {
            throw Allowed.refusal("askEvery", askEvery, "1 to " + QueueDepth.MAX);
        }
        if (silenceNanos < 1) {
            throw Allowed.refusal("silenceNanos", silenceNanos, "1 or above");
        }
        if (timeoutNanos < 1) {
            throw Allowed.refusal("timeoutNanos", timeoutNanos, "1 or above");
        }
        this.softLimit = softLimit;
        this.askEvery = askEvery;
        this.silenceNanos = silenceNanos;
        this.timeoutNanos = timeoutNanos;
    }

    /** A soft limit of 100, a question every 50 messages, answers valid for 1 s, a timeout of 100 ms. */
    public static QueueSettings defaults() {
        return DEFAULTS;
    }

    public int softLimit() {
        return softLimit;
    }

    public int askEvery() {
        return askEvery;
    }

    public long silenceNanos() {
        return silenceNanos;
    }

    public long timeoutNanos() {
        return timeoutNanos;
    }

    @Override
    public String toString() {
        return "softLimit " + softLimit + ", askEvery " + askEvery + ", silenceNanos " + silenceNanos
                + ", timeoutNanos " + timeoutNanos;
    }
}
