/**
 * What goes beyond Kubernetes, opt-in per container: the annotation {@code probelet.io/probes}
 * holds YAML or JSON that is laid over the probes of the manifest. Its schema is ours, so here an
 * unknown field is an error. docs/reference/probe-annotations.md describes it for users.
 */
@NullMarked
package io.probelet.manifest.annotation;

import org.jspecify.annotations.NullMarked;
