/**
 * gRPC from the client's side, as far as health checks and the container runtime need it: one
 * message out, messages and a status back. Messages are bytes here; the two of the health protocol
 * are so small that they are read and written by hand. Statuses print as Go prints them, because
 * that is what users of the kubelet know.
 */
@NullMarked
package io.probelet.probe.grpc;

import org.jspecify.annotations.NullMarked;
