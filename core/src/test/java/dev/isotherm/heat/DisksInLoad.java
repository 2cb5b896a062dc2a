// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** A load of disks that serve so many reads side by side, one number per replica. */
final class DisksInLoad implements DiskLoad {
    private final double requestsPerSecond;
    private final int[] servedAtOnce;

    DisksInLoad(double requestsPerSecond, int... servedAtOnce) {
        this.requestsPerSecond = requestsPerSecond;
        this.servedAtOnce = servedAtOnce;
    }

    @Override
    public double requestsPerSecond() {
        return requestsPerSecond;
    }

    @Override
    public int servedAtOnce(int replica) {
        return servedAtOnce[replica];
    }
}
