/**
 * Verifies servers as Go's {@code crypto/x509} does for the kubelet and all other Go clients.
 *
 * <p>{@link ServerVerifier} is Probelet's only verification of servers: for probes, hooks,
 * Prometheus and uploads. The JDK parses certificates and computes signatures; path, names and
 * constraints are checked here, because the JDK checks them differently (see the decision record
 * {@code tls-verification}).
 */
@NullMarked
package io.probelet.health.tls;

import org.jspecify.annotations.NullMarked;
