/**
 * How a process gets to the API server: by a kubeconfig or a pod's service account. Tokens are read
 * again by the client when the server refuses the old one; certificates, which a client reads only
 * when it is made, are followed here. Nobody who uses the client notices.
 */
@NullMarked
package io.probelet.kube.access;

import org.jspecify.annotations.NullMarked;
