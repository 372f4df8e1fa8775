/**
 * How servers are verified: as Go's {@code crypto/x509} verifies them for the kubelet and for every
 * other client in Go.
 *
 * <p>{@link ServerVerifier} is the only trust manager with which Probelet verifies anyone: for
 * probes, hooks, Prometheus and uploads alike. The JDK parses certificates and computes signatures;
 * the path, the names and the constraints are decided here, because the JDK decides them
 * differently (see the decision record {@code tls-verification}).
 */
@NullMarked
package io.probelet.health.tls;

import org.jspecify.annotations.NullMarked;
