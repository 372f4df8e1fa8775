/**
 * Probes containers as the kubelet does. Decisions are pure functions of state, event and time;
 * thin shells on Netty's event loops carry out what was decided and feed the outcome back. It knows
 * containers only through ports and no Kubernetes client at all.
 */
@NullMarked
package io.probelet.probe;

import org.jspecify.annotations.NullMarked;
