/**
 * Kubernetes probes with the API server's validation and defaults (P-1 to P-17). It turns manifests
 * into {@link io.probelet.probe.ProbeSpec}s; an invalid probe is dropped. This package does not
 * depend on pods or on our own annotation.
 */
@NullMarked
package io.probelet.manifest.probe;

import org.jspecify.annotations.NullMarked;
