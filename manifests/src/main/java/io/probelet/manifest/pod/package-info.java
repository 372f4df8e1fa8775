/**
 * Pods as Kubernetes writes them, read and validated for two uses: to run their containers as local
 * processes, or only to probe containers that something else runs. A pod with an error becomes none
 * at all, but only after all of it has been read. Fields that Probelet has no use for are known by
 * name, so that they are not taken for mistakes.
 */
@NullMarked
package io.probelet.manifest.pod;

import org.jspecify.annotations.NullMarked;
