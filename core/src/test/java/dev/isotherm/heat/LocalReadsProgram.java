// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;

/** The forwarding problem as a linear program: the largest sum of local reads over all coordinators. */
final class LocalReadsProgram {
    private LocalReadsProgram() {}

    static double most(double[] weights, double[] shares, int k) {
        int n = shares.length;
        List<LinearConstraint> constraints = new ArrayList<>();
        double[] local = new double[n * n];
        for (int i = 0; i < n; i++) {
            local[i * n + i] = 1;
            double[] row = new double[n * n];
            double[] column = new double[n * n];
            for (int j = 0; j < n; j++) {
                row[i * n + j] = 1;
                column[j * n + i] = 1;
                double[] entry = new double[n * n];
                entry[i * n + j] = 1;
                constraints.add(new LinearConstraint(entry, Relationship.LEQ, weights[i] / k));
            }
            constraints.add(new LinearConstraint(row, Relationship.EQ, weights[i]));
            // The last column follows from the others and the rows.
            if (i < n - 1) {
                constraints.add(new LinearConstraint(column, Relationship.EQ, shares[i]));
            }
        }
        return new SimplexSolver()
                .optimize(
                        new LinearObjectiveFunction(local, 0),
                        new LinearConstraintSet(constraints),
                        GoalType.MAXIMIZE,
                        new NonNegativeConstraint(true),
                        new MaxIter(10_000))
                .getValue();
    }
}
