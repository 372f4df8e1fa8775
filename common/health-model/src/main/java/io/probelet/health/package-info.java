/**
 * The words everyone in Probelet shares: conditions and their status, thresholds, durations and the
 * clock. They are immutable values without I/O and without dependencies, so that every other room
 * can speak them. Time is never read from the wall here: who decides is handed the moment.
 */
@NullMarked
package io.probelet.health;

import org.jspecify.annotations.NullMarked;
