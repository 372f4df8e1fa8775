package io.probelet.probe.h2;

import io.netty.handler.codec.http2.Http2Error;
import io.probelet.probe.net.SocketErrors;
import org.jspecify.annotations.Nullable;

/** Why a request got no complete answer. */
public sealed interface H2Failure {
  /**
   * The peer reset this stream.
   *
   * @param code the protocol's error code
   */
  record Reset(long code) implements H2Failure {}

  /**
   * The peer had closed the connection to new requests and has not processed this one.
   *
   * @param code the protocol's error code
   * @param debug what the peer said, possibly empty
   */
  record GoneAway(long code, String debug) implements H2Failure {}

  /**
   * The connection ended.
   *
   * @param cause null when the peer closed it in good order
   */
  record Closed(@Nullable Throwable cause) implements H2Failure {}

  /**
   * The peer broke the protocol, or does not speak it.
   *
   * @param message what was found
   */
  record Malformed(String message) implements H2Failure {}

  /** {@return whether the peer answered this request; else it gave up the whole connection} */
  default boolean definite() {
    return this instanceof Reset || this instanceof Malformed;
  }

  /** {@return what happened, in a few words} */
  default String describe() {
    return switch (this) {
      case Reset reset -> "stream reset by the server with " + codeName(reset.code());
      case GoneAway gone ->
          "server sent GOAWAY with "
              + codeName(gone.code())
              + (gone.debug().isEmpty() ? "" : ": " + gone.debug());
      case Closed closed ->
          closed.cause() == null
              ? "connection closed by the server"
              : SocketErrors.failure("connection lost: ", closed.cause()).message();
      case Malformed malformed -> malformed.message();
    };
  }

  /**
   * {@return the RFC's name of an error code, or the number if it has none}
   *
   * @param code as sent
   */
  static String codeName(long code) {
    Http2Error known = Http2Error.valueOf(code);
    return known == null ? "code " + code : known.name();
  }
}
