// SPDX-License-Identifier: Apache-2.0
/** Runs the microbenchmarks, one package per feature, and the simulation of the limits' accuracy. */
package dev.isotherm.benchmarks;
