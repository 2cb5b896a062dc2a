// SPDX-License-Identifier: Apache-2.0
/** Runs the microbenchmarks, a package a feature, and the simulation of how exactly limits hold. */
package dev.isotherm.benchmarks;
