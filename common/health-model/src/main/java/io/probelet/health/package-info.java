/**
 * Types shared by all of Probelet: conditions and their status, thresholds, durations and the
 * clock. They are immutable values without I/O and without dependencies, so that every module can
 * use them. Deciders receive the time and never read a clock.
 */
@NullMarked
package io.probelet.health;

import org.jspecify.annotations.NullMarked;
