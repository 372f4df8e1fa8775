/**
 * How the agent gets to the API server: by a kubeconfig or a pod's service account. Tokens are read
 * again by the client when the server refuses the old one; certificates, which a client reads only
 * when it is made, are followed here. Nobody who uses the client notices.
 */
@NullMarked
package io.probelet.agent.cluster.access;

import org.jspecify.annotations.NullMarked;
