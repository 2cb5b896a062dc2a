// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import java.util.List;
import java.util.function.Predicate;

/** The replicas of a read as a list, which counts what is asked of it. */
final class ListedReplicas implements Invitations.Replicas<String> {
    private final List<String> nodes;
    private final Predicate<String> serves;
    /** How often a replica was asked for, and whether it serves. */
    int asked;

    ListedReplicas(List<String> nodes, Predicate<String> serves) {
        this.nodes = nodes;
        this.serves = serves;
    }

    static ListedReplicas serving(String... nodes) {
        return new ListedReplicas(List.of(nodes), node -> true);
    }

    @Override
    public int count() {
        return nodes.size();
    }

    @Override
    public String at(int place) {
        asked++;
        return nodes.get(place);
    }

    @Override
    public boolean serves(int place) {
        asked++;
        return serves.test(nodes.get(place));
    }
}
