// SPDX-License-Identifier: Apache-2.0
/**
 * What no idea of core has to itself. Several packages share {@link dev.isotherm.common.SplitMix64 mixing},
 * {@link dev.isotherm.common.DecayedRatio moving averages}, {@link dev.isotherm.common.RunningClock a clock} that
 * stands still while the process does not run, and the refusal of {@link dev.isotherm.common.Allowed arguments} and
 * {@link dev.isotherm.common.MalformedReportException reports}.
 *
 * <p>Adapters alone use {@link dev.isotherm.common.WaitingThreads what waiting may cost}. The heat alone uses the
 * averages that find the last change of a ratio, {@link dev.isotherm.common.AdaptiveRatio} and
 * {@link dev.isotherm.common.SteadyRatio}, for events of some {@link dev.isotherm.common.EventVariance variance}.
 */
package dev.isotherm.common;
