/**
 * Adapters between the engine's idea of a container and what really runs on the machine. Each
 * adapter starts, observes and ends containers of one kind and reports what it saw as values. No
 * adapter decides about health or restarts: the engine does.
 */
@NullMarked
package io.probelet.runtime;

import org.jspecify.annotations.NullMarked;
