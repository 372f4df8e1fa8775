/**
 * The port to whatever runs containers: what is observed of them, and the few things done to them.
 * Adapters implement it elsewhere; the engine knows nothing but these types.
 */
@NullMarked
package io.probelet.probe.runtime;

import org.jspecify.annotations.NullMarked;
