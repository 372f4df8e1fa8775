/**
 * HTTP probes (H-1 to H-7): one GET over a connection of its own, redirects on the same host
 * followed, the answer checked as the kubelet does.
 *
 * <p>Requests are written as bytes and answers read by a parser that keeps only what a verdict
 * needs, because at thousands of probes a second a general HTTP client costs more than the probe
 * itself. Where servers deviate from the standard the parser is as tolerant, and as strict, as
 * Go's, so that a container gets the verdict it got from the kubelet.
 */
@NullMarked
package io.probelet.probe.http;

import org.jspecify.annotations.NullMarked;
