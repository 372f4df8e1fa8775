package io.probelet.kube;

/** An API server rejects a request. */
final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  final int code;

  RefusedRequest(int code, String message) {
    super(message);
    this.code = code;
  }
}
