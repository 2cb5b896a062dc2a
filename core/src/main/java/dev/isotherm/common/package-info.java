// SPDX-License-Identifier: Apache-2.0
/**
 * What more than one idea of core rests on: {@link dev.isotherm.common.SplitMix64 mixing}, {@link
 * dev.isotherm.common.DecayedRatio moving averages}, and the sentences with which {@link dev.isotherm.common.Allowed
 * arguments} and {@link dev.isotherm.common.MalformedReportException reports} are refused.
 */
package dev.isotherm.common;
