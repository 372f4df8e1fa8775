/**
 * Reads untrusted objects into trees of limited size. Unneeded fields are skipped during parsing.
 */
@NullMarked
package io.probelet.kube.object;

import org.jspecify.annotations.NullMarked;
