// SPDX-License-Identifier: Apache-2.0
/**
 * Warms a node that came back cold with copies of reads that other replicas serve.
 *
 * <p>The cold node decides for which tables it asks ({@link dev.isotherm.warming.ColdTables}) and for what part of the
 * reads ({@link dev.isotherm.warming.CopyPace}), and tells both in an {@link dev.isotherm.warming.Invitation}.
 * Coordinators keep the {@link dev.isotherm.warming.Invitations} that are fresh, and choose by them whom a read is
 * copied to. The cold node serves few copies at a time ({@link dev.isotherm.warming.CopyQueue}) and drops what it has
 * no room for. Clocks and random numbers are always parameters; the caller sends and reads.
 */
package dev.isotherm.warming;
