// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.Arrays;

/**
 * Max-min fair shares: whoever asks for less than the level gets all of it, everyone else the level, and together they
 * get all that there is. Nobody's part can grow without making a part smaller that is not larger (Bertsekas and
 * Gallager, "Data Networks", section 6.5).
 */
final class MaxMin {
    private MaxMin() {}

    /**
     * The level.
     *
     * @param asked what each asks for, 0 or above; not changed
     * @param available what there is, in the same unit
     * @return infinity if all can have what they ask for; 0 if nothing is available
     */
    static double level(double[] asked, double available) {
        double[] ascending = asked.clone();
        Arrays.sort(ascending);
        double left = Math.max(0, available);
        for (int i = 0; i < ascending.length; i++) {
            double level = left / (ascending.length - i);
            if (ascending[i] > level) {
                return level;
            }
            left -= ascending[i];
        }
        return Double.POSITIVE_INFINITY;
    }
}
