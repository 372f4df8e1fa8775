/**
 * What happened to containers, pods and the agent itself, recorded when it happened. The log is
 * bounded, and shared fairly: a noisy container pushes out its own events first, a noisy namespace
 * those of its own. {@code probelet events} shows it.
 */
@NullMarked
package io.probelet.web.events;

import org.jspecify.annotations.NullMarked;
