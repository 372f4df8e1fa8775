/**
 * What must hold in every simulated world, one small class a rule. Rules are told of events, so
 * that each can be tested without a world. They read no state of the code they judge.
 */
@NullMarked
package io.probelet.simulation.rules;

import org.jspecify.annotations.NullMarked;
