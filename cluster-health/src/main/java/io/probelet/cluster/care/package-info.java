/**
 * The health of a cluster's own parts: the {@code ClusterHealth} resource says what belongs to the
 * cluster, and its status says how that is.
 *
 * <p>{@link io.probelet.cluster.care.ClusterCare} goes round once per sync period: it follows
 * objects, or reads them page by page, and keeps only what it found, so that a cluster of any size
 * fits; {@link io.probelet.cluster.care.CareStatus} makes the new status of the old one and the
 * findings, without touching anything; what differs is written.
 */
@NullMarked
package io.probelet.cluster.care;

import org.jspecify.annotations.NullMarked;
