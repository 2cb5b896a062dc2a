// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

/**
 * A decision as one int, so that making one allocates nothing: a target and why.
 *
 * <p>The target is the index of a remote candidate, {@link #HERE}, or {@link #ASK}. In the low byte
 * stands the kind's ordinal, above it the target.
 */
public final class LeaderDecision {
    /** The target that is this node. */
    public static final int HERE = -1;
    /** The target that is not known yet: peers must be asked, or have not answered yet. There is no kind to it. */
    public static final int ASK = -2;
    /** The decision whose target is {@link #ASK}. */
    public static final int UNDECIDED = ASK << 8;

    private static final DecisionKind[] KINDS = DecisionKind.values();

    private LeaderDecision() {}

    static int of(DecisionKind kind, int target) {
        return target << 8 | kind.ordinal();
    }

    /** Where: a candidate's index, {@link #HERE} or {@link #ASK}. */
    public static int target(int decision) {
        return decision >> 8;
    }

    /** Why; meaningless for {@link #UNDECIDED}. */
    public static DecisionKind kind(int decision) {
        return KINDS[decision & 0xff];
    }
}
