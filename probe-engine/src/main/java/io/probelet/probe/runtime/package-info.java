/**
 * The port to the container runtime: observations of containers, and the few operations on them.
 * Adapters in other modules implement it; the engine knows only these types.
 */
@NullMarked
package io.probelet.probe.runtime;

import org.jspecify.annotations.NullMarked;
