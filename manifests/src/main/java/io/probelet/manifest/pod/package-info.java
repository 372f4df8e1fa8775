/**
 * Kubernetes pods, read and validated for two purposes: to run their containers as local processes,
 * or only to probe containers that another runtime runs. A pod with an error is dropped, but only
 * after all of it has been read. Fields that Probelet does not use are known by name, so that they
 * are not reported as unknown.
 */
@NullMarked
package io.probelet.manifest.pod;

import org.jspecify.annotations.NullMarked;
