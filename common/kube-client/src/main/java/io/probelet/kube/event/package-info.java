/**
 * Writes Events to the API server. Whatever happens again is one Event with a count; what the API
 * server does not take now is kept and written later; no namespace and no object takes the budget
 * of another. What is written when is decided by {@link io.probelet.kube.event.EventQueue} in
 * virtual time, and carried out by {@link io.probelet.kube.event.EventRecorder}.
 */
@NullMarked
package io.probelet.kube.event;

import org.jspecify.annotations.NullMarked;
