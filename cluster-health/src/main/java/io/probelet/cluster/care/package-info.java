/**
 * The health of a cluster's own components. The spec of a {@code ClusterHealth} selects them, and
 * its status reports their health.
 *
 * <p>{@link io.probelet.cluster.care.ClusterCare} runs one round per sync period. It watches
 * objects or reads them page by page and keeps only the findings, so that memory does not grow with
 * the cluster. {@link io.probelet.cluster.care.CareStatus} computes the new status from the
 * previous one and the findings, without side effects. Only changes are written.
 */
@NullMarked
package io.probelet.cluster.care;

import org.jspecify.annotations.NullMarked;
