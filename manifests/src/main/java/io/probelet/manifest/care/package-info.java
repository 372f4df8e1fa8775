/**
 * ClusterHealth resources among the manifests: read field by field, so that every mistake is told
 * with its place before the resource is applied. What the fields mean is told by {@link
 * io.probelet.cluster.care.ClusterHealthSpec}; a field that a cluster would drop is warned of.
 */
@NullMarked
package io.probelet.manifest.care;

import org.jspecify.annotations.NullMarked;
