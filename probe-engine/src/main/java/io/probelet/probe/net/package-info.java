/**
 * Connections for probes: event loops, name resolution, sockets and TLS, with one deadline per
 * attempt.
 *
 * <p>A prober begins an {@link Attempt}, which owns the timer, the clock readings and the single
 * outcome; turns its handler into a {@link Destination}; and has a {@link Dialer} make a {@link
 * ProbeConnection}: a plain socket, which is cheapest, or a Netty channel where TLS or HTTP/2 need
 * one. What went wrong comes back as a {@link NetFailure}, worded as Go words it because that is
 * what users of the kubelet know, and sorted into the target's fault and ours.
 *
 * <p>Connections are closed by reset: the answer has been read by then, and nothing is left in
 * TIME_WAIT on either side.
 *
 * <pre>{@code
 * Attempt attempt = Attempt.begin(loop, timeout, phase -> new Verdict.Failure("…"), done);
 * switch (Destination.at(target, port, host)) {
 *   case Destination.Unknown unknown -> attempt.end(unknown.error());
 *   case Endpoint endpoint -> dialer.open(attempt, endpoint, listener);
 * }
 * }</pre>
 */
@NullMarked
package io.probelet.probe.net;

import org.jspecify.annotations.NullMarked;
