package io.probelet.probe.grpc;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call to make.
 *
 * @param secure whether the connection is under TLS
 * @param authority host and port, or what is sent in their place
 * @param method service and method, such as {@code grpc.health.v1.Health/Check}
 * @param userAgent empty sends none
 * @param timeout sent to the server, not enforced here; null sends none
 */
public record GrpcRequest(
    boolean secure, String authority, String method, String userAgent, @Nullable Duration timeout) {
  private static final long MAX_DIGITS = 99_999_999;

  Http2Headers headers() {
    List<AsciiString> others = new ArrayList<>(8);
    add(others, "content-type", "application/grpc");
    if (!userAgent.isEmpty()) {
      add(others, "user-agent", userAgent);
    }
    add(others, "te", "trailers");
    if (timeout != null) {
      add(others, "grpc-timeout", wireTimeout(timeout));
    }
    return ReadOnlyHttp2Headers.clientHeaders(
        false,
        AsciiString.cached("POST"),
        AsciiString.of("/" + method),
        AsciiString.cached(secure ? "https" : "http"),
        AsciiString.of(authority),
        others.toArray(AsciiString[]::new));
  }

  private static void add(List<AsciiString> headers, String name, String value) {
    headers.add(AsciiString.of(name));
    headers.add(AsciiString.of(value));
  }

  /** The protocol allows eight digits and a unit. */
  static String wireTimeout(Duration timeout) {
    long millis = Math.max(1, timeout.toMillis());
    return millis <= MAX_DIGITS ? millis + "m" : Math.min(MAX_DIGITS, timeout.toSeconds()) + "S";
  }
}
