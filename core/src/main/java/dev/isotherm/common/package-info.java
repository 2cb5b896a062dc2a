// SPDX-License-Identifier: Apache-2.0
/**
 * The classes that several packages of core share: {@link dev.isotherm.common.SplitMix64 mixing},
 * {@link dev.isotherm.common.DecayedRatio moving averages}, {@link dev.isotherm.common.WaitingThreads
 * what waiting may cost}, and the refusal of
 * {@link dev.isotherm.common.Allowed arguments} and {@link dev.isotherm.common.MalformedReportException reports}.
 */
package dev.isotherm.common;
