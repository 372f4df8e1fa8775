/**
 * Options that several commands have: the cluster and the namespace that they work in, and where
 * they listen.
 */
@NullMarked
package io.probelet.cli.option;

import org.jspecify.annotations.NullMarked;
