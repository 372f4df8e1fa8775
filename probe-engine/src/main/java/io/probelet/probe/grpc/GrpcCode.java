package io.probelet.probe.grpc;

/** The status codes of gRPC. */
public enum GrpcCode {
  /** Success. */
  OK(0, "OK"),
  /** The caller gave up. */
  CANCELLED(1, "Canceled"),
  /** Anything without a better code. */
  UNKNOWN(2, "Unknown"),
  /** The request makes no sense. */
  INVALID_ARGUMENT(3, "InvalidArgument"),
  /** The time ran out. */
  DEADLINE_EXCEEDED(4, "DeadlineExceeded"),
  /** No such thing. */
  NOT_FOUND(5, "NotFound"),
  /** There is one already. */
  ALREADY_EXISTS(6, "AlreadyExists"),
  /** Not allowed. */
  PERMISSION_DENIED(7, "PermissionDenied"),
  /** Out of something. */
  RESOURCE_EXHAUSTED(8, "ResourceExhausted"),
  /** Not in a state to do it. */
  FAILED_PRECONDITION(9, "FailedPrecondition"),
  /** Lost a race. */
  ABORTED(10, "Aborted"),
  /** Past the end. */
  OUT_OF_RANGE(11, "OutOfRange"),
  /** No such method. */
  UNIMPLEMENTED(12, "Unimplemented"),
  /** Broken. */
  INTERNAL(13, "Internal"),
  /** Not there now; may be later. */
  UNAVAILABLE(14, "Unavailable"),
  /** Lost for good. */
  DATA_LOSS(15, "DataLoss"),
  /** Nobody we know. */
  UNAUTHENTICATED(16, "Unauthenticated");

  private final int number;
  private final String goName;

  GrpcCode(int number, String goName) {
    this.number = number;
    this.goName = goName;
  }

  /** {@return its number on the wire} */
  int number() {
    return number;
  }

  /**
   * {@return Go's name of a code, which is what users of the kubelet see}
   *
   * @param number as sent; possibly none of gRPC's
   */
  static String goName(int number) {
    for (GrpcCode code : values()) {
      if (code.number == number) {
        return code.goName;
      }
    }
    return "Code(" + Integer.toUnsignedString(number) + ")";
  }
}
