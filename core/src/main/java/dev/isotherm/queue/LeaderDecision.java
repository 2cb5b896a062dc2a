// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

/**
 * A decision as one int, which allocates nothing: a target and the kind of decision.
 *
 * <p>The target is the index of a remote candidate, {@link #HERE}, or {@link #ASK}. The low byte holds the ordinal of
 * the kind, the bits above it the target.
 */
public final class LeaderDecision {
    /** The target when this node leads. */
    public static final int HERE = -1;
    /** The target when it is not known yet: peers must be asked, or have not answered yet. This target has no kind. */
    public static final int ASK = -2;
    /** The decision whose target is {@link #ASK}. */
    public static final int UNDECIDED = ASK << 8;

    private static final DecisionKind[] KINDS = DecisionKind.values();

    private LeaderDecision() {}

    static int of(DecisionKind kind, int target) {
        return target << 8 | kind.ordinal();
    }

    /** The target: a candidate's index, {@link #HERE} or {@link #ASK}. */
    public static int target(int decision) {
        return decision >> 8;
    }

    /** The kind; meaningless for {@link #UNDECIDED}. */
    public static DecisionKind kind(int decision) {
        return KINDS[decision & 0xff];
    }
}
