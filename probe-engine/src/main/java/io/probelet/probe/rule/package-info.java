/**
 * Rules that a pod's author has for what a target answers, checked on threads of their own.
 *
 * <p>A rule may cost as much as all other probes of the node, so that no event loop checks one, and
 * pods take turns by the time that theirs have had. HTTP probes hold bodies and headers against
 * them, TCP probes the lines of a dialog.
 */
@NullMarked
package io.probelet.probe.rule;

import org.jspecify.annotations.NullMarked;
