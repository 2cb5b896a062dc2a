// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.utils;

/**
 * The name of a class that Cassandra has from 6.0 on, for the signature of a method that it calls there. The jar does
 * not have it: a method's descriptor may name a class that is missing as long as nobody calls the method.
 */
public interface Sortable {}
