// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** Something that happens at an instant of virtual time; at the same instant, in the order in which it was planned. */
final class VirtualEvent implements Comparable<VirtualEvent> {
    final long at;
    final long order;
    final Runnable action;

    VirtualEvent(long at, long order, Runnable action) {
        this.at = at;
        this.order = order;
        this.action = action;
    }

    @Override
    public int compareTo(VirtualEvent other) {
        return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
}
