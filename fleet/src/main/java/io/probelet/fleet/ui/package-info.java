/**
 * The cluster's page, {@code probelet ui}: served on loopback to one person, out of what that
 * person's own kubeconfig may read. Nothing is exposed in the cluster and nothing is written there.
 */
@NullMarked
package io.probelet.fleet.ui;

import org.jspecify.annotations.NullMarked;
