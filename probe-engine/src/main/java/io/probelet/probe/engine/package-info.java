/**
 * The life of a probe: a pure worker decides (W-3 to W-6), a runner runs its decisions, and the
 * results become started, ready and restart decisions. A worker stays on one loop, so nothing here
 * takes a lock.
 */
@NullMarked
package io.probelet.probe.engine;

import org.jspecify.annotations.NullMarked;
