// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.ArrayList;
import java.util.List;

/** What has been decided and is not in force yet, and what is to be told of it then. For one thread at a time. */
final class PendingChanges {
    private final List<Runnable> news = new ArrayList<>();
    private boolean any;

    /** Something has been decided of which nobody is told. */
    void add() {
        any = true;
    }

    /**
     * Something has been decided.
     *
     * @param told tells of it once it is in force
     */
    void add(Runnable told) {
        any = true;
        news.add(told);
    }

    /**
     * Puts all in force, if there is any, and tells of it.
     *
     * @param publish puts in force all that has been decided
     */
    void settle(Runnable publish) {
        if (any) {
            publish.run();
            any = false;
            List<Runnable> told = List.copyOf(news);
            news.clear();
            told.forEach(Runnable::run);
        }
    }
}
