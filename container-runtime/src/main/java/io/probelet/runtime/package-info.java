/**
 * Adapters between the engine's containers and those on the machine. Each adapter starts, observes
 * and ends containers of one kind and reports observations as values. The engine decides about
 * health and restarts; adapters do not.
 */
@NullMarked
package io.probelet.runtime;

import org.jspecify.annotations.NullMarked;
