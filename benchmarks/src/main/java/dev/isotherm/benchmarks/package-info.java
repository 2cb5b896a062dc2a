// SPDX-License-Identifier: Apache-2.0
/** What a draw, a new plan and a report from the wire cost, measured by JMH beside a rival in the same run. */
package dev.isotherm.benchmarks;
