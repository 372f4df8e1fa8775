/**
 * The life of a probe: a pure worker decides (W-3 to W-6), a runner gives it time and carries out
 * what it decided, and the results become started, ready and restart decisions. A worker lives on
 * one loop for its whole life, so nothing here takes a lock.
 */
@NullMarked
package io.probelet.probe.engine;

import org.jspecify.annotations.NullMarked;
