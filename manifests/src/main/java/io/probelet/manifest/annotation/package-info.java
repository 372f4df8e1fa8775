/**
 * The annotation {@code probelet.io/probes}, opt-in per container. It contains YAML or JSON that is
 * merged with the probes of the manifest. Its schema is ours, so an unknown field is an error.
 * docs/reference/probe-annotations.md describes it for users.
 */
@NullMarked
package io.probelet.manifest.annotation;

import org.jspecify.annotations.NullMarked;
