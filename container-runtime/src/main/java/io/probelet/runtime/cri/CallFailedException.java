package io.probelet.runtime.cri;

import io.probelet.probe.grpc.GrpcStatus;
import io.probelet.probe.runtime.ContainerRuntimeException;

/** A call to the runtime ended with a status other than OK. */
final class CallFailedException extends ContainerRuntimeException {
  private static final long serialVersionUID = 1;

  private final transient GrpcStatus status;

  CallFailedException(String method, GrpcStatus status) {
    super(method + ": " + status);
    this.status = status;
  }

  GrpcStatus status() {
    return status;
  }
}
