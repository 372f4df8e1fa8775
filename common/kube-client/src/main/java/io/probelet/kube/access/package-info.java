/**
 * Access to the API server by a kubeconfig or a pod's service account. The client rereads tokens
 * when the server rejects the old one. This package reloads certificates, which a client reads only
 * at creation, transparently to users of the client.
 */
@NullMarked
package io.probelet.kube.access;

import org.jspecify.annotations.NullMarked;
