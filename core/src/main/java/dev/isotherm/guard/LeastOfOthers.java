// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** The replica with the least figure of several, and the one with the least of all but any one. For one thread. */
final class LeastOfOthers {
    private ReadWatch least;
    private ReadWatch second;
    private long leastFigure;
    private long secondFigure;

    void clear() {
        least = null;
        second = null;
    }

    /** @param figure the replica's; -1 if it is not known */
    void add(ReadWatch replica, long figure) {
        if (figure < 0) {
            return;
        }
        if (least == null || figure < leastFigure) {
            second = least;
            secondFigure = leastFigure;
            least = replica;
            leastFigure = figure;
        } else if (second == null || figure < secondFigure) {
            second = replica;
            secondFigure = figure;
        }
    }

    /** Which of the others than this one has the least figure; null if none of theirs is known. */
    ReadWatch without(ReadWatch replica) {
        return replica == least ? second : least;
    }
}
