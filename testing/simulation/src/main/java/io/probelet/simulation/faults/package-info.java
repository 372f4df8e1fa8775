/**
 * What goes wrong in a simulated world: the kinds of faults, the plan that a seed draws, and the
 * search for a shorter plan that breaks the same rule.
 */
@NullMarked
package io.probelet.simulation.faults;

import org.jspecify.annotations.NullMarked;
