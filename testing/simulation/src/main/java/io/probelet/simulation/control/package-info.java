/**
 * The control plane of a world: the real controllers in simulated processes, and stand-ins for the
 * other programs that act on nodes, Jobs and remediations.
 */
@NullMarked
package io.probelet.simulation.control;

import org.jspecify.annotations.NullMarked;
