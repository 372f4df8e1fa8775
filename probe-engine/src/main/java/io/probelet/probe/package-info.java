/**
 * Probes containers by the kubelet's rules. Decisions are pure functions of state, event and time.
 * Thin shells on Netty event loops run them and feed the outcome back. The package reaches
 * containers only through ports and needs no Kubernetes client.
 */
@NullMarked
package io.probelet.probe;

import org.jspecify.annotations.NullMarked;
