/**
 * What is done before a container is stopped: its own preStop hook, within the grace period that it
 * has for ending, and no longer. The hook is written by the pod's author, so it reaches no further
 * than a probe does.
 */
@NullMarked
package io.probelet.probe.hook;

import org.jspecify.annotations.NullMarked;
