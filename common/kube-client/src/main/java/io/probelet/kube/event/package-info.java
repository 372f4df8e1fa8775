/**
 * Writes Events to the API server. Repeated occurrences form one Event with a count. Failed writes
 * are retried. No namespace or object uses the budget of another. {@link
 * io.probelet.kube.event.EventQueue} decides what to write when, testable in virtual time; {@link
 * io.probelet.kube.event.EventRecorder} executes it.
 */
@NullMarked
package io.probelet.kube.event;

import org.jspecify.annotations.NullMarked;
