/**
 * What only a real API server can tell: that it takes our definitions, defaults and refuses as they
 * say, and that our writes mean to it what they mean to us. Runs against the cluster of {@code
 * KUBECONFIG}, or against etcd and kube-apiserver from {@code KUBEBUILDER_ASSETS}; is skipped, with
 * a line that says so, where neither is set.
 */
@NullMarked
package io.probelet.cli.realapi;

import org.jspecify.annotations.NullMarked;
