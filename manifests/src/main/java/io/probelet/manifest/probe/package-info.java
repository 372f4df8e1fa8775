/**
 * Probes as Kubernetes writes them, with the API server's validation and defaults (P-1 to P-17).
 * What a manifest says is turned into {@link io.probelet.probe.ProbeSpec}s; one that breaks a rule
 * becomes none. Nothing here knows of pods or of our own annotation.
 */
@NullMarked
package io.probelet.manifest.probe;

import org.jspecify.annotations.NullMarked;
