/**
 * The probe server: pods that a client on a Unix socket hands over, such as a virtual kubelet in
 * any language, are probed, and the client is told of results and restarts.
 */
@NullMarked
package io.probelet.agent.server;

import org.jspecify.annotations.NullMarked;
