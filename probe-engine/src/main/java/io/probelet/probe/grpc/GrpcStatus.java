package io.probelet.probe.grpc;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.probelet.probe.h2.H2Failure;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended.
 *
 * @param number the status code as sent; see {@link GrpcCode}
 * @param message the server's words, or ours where it sent no status; possibly empty
 */
public record GrpcStatus(int number, String message) {
  private static final String CONTENT_TYPE = "application/grpc";

  GrpcStatus(GrpcCode code, String message) {
    this(code.number(), message);
  }

  /**
   * {@return whether it is this code}
   *
   * @param code one of gRPC's
   */
  public boolean is(GrpcCode code) {
    return number == code.number();
  }

  /** {@return the text Go gives an error with this status} */
  @Override
  public String toString() {
    return "rpc error: code = " + GrpcCode.goName(number) + " desc = " + message;
  }

  /**
   * Finds fault with the head of a response. One of gRPC's content type is in order whatever its
   * HTTP status is, as in grpc-go.
   *
   * @return null when it is in order
   */
  static @Nullable GrpcStatus ofHead(Http2Headers headers) {
    List<CharSequence> types = headers.getAll("content-type");
    if (types.stream().anyMatch(type -> isGrpc(type.toString()))) {
      return null;
    }
    String type =
        types.isEmpty()
            ? "malformed header: missing HTTP content-type"
            : "received unexpected content-type \"" + types.getLast() + "\"";
    CharSequence status = headers.status();
    if (status == null) {
      return new GrpcStatus(GrpcCode.INTERNAL, "malformed header: missing HTTP status; " + type);
    }
    int http;
    try {
      http = Integer.parseInt(status.toString());
    } catch (NumberFormatException notANumber) {
      return new GrpcStatus(GrpcCode.UNKNOWN, "malformed http-status \"" + status + "\"; " + type);
    }
    String words = http >= 100 && http < 600 ? HttpResponseStatus.valueOf(http).reasonPhrase() : "";
    return new GrpcStatus(
        ofHttp(http),
        "unexpected HTTP status code received from server: %d (%s); %s"
            .formatted(http, words, type));
  }

  private static boolean isGrpc(String contentType) {
    return contentType.startsWith(CONTENT_TYPE)
        && (contentType.length() == CONTENT_TYPE.length()
            || "+;".indexOf(contentType.charAt(CONTENT_TYPE.length())) >= 0);
  }

  private static GrpcCode ofHttp(int status) {
    return switch (status) {
      case 400 -> GrpcCode.INTERNAL;
      case 401 -> GrpcCode.UNAUTHENTICATED;
      case 403 -> GrpcCode.PERMISSION_DENIED;
      case 404 -> GrpcCode.UNIMPLEMENTED;
      case 429, 502, 503, 504 -> GrpcCode.UNAVAILABLE;
      default -> GrpcCode.UNKNOWN;
    };
  }

  /**
   * Reads the status out of trailers, or out of headers that serve as both. Of several the last one
   * counts, and all have to be numbers.
   */
  static GrpcStatus ofTrailers(Http2Headers trailers) {
    List<CharSequence> statuses = trailers.getAll("grpc-status");
    List<CharSequence> messages = trailers.getAll("grpc-message");
    int number = GrpcCode.UNKNOWN.number();
    for (CharSequence status : statuses) {
      try {
        number = Integer.parseInt(status.toString());
      } catch (NumberFormatException notANumber) {
        return new GrpcStatus(GrpcCode.UNKNOWN, "malformed grpc-status \"" + status + "\"");
      }
    }
    if (statuses.isEmpty()) {
      return new GrpcStatus(GrpcCode.UNKNOWN, "server ended the call without grpc-status");
    }
    return new GrpcStatus(number, messages.isEmpty() ? "" : percentDecoded(messages.getLast()));
  }

  /** Undoes gRPC's escapes; what is no escape stays as it is, as the protocol asks. */
  private static String percentDecoded(CharSequence text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int at = 0; at < text.length(); at++) {
      char each = text.charAt(at);
      int high = at + 2 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
      int low = high >= 0 ? Character.digit(text.charAt(at + 2), 16) : -1;
      if (each == '%' && low >= 0) {
        bytes.write(high << 4 | low);
        at += 2;
      } else {
        bytes.write(each);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Translates the end of a stream that came without a status. */
  static GrpcStatus of(H2Failure failure) {
    return switch (failure) {
      case H2Failure.Reset reset -> new GrpcStatus(ofReset(reset.code()), failure.describe());
      case H2Failure.GoneAway ignored -> new GrpcStatus(GrpcCode.UNAVAILABLE, failure.describe());
      case H2Failure.Closed ignored -> new GrpcStatus(GrpcCode.UNAVAILABLE, failure.describe());
      case H2Failure.Malformed ignored -> new GrpcStatus(GrpcCode.INTERNAL, failure.describe());
    };
  }

  private static GrpcCode ofReset(long code) {
    Http2Error known = Http2Error.valueOf(code);
    return switch (known) {
      case null -> GrpcCode.UNKNOWN;
      case REFUSED_STREAM -> GrpcCode.UNAVAILABLE;
      case CANCEL -> GrpcCode.CANCELLED;
      case FLOW_CONTROL_ERROR, ENHANCE_YOUR_CALM -> GrpcCode.RESOURCE_EXHAUSTED;
      case INADEQUATE_SECURITY -> GrpcCode.PERMISSION_DENIED;
      default -> GrpcCode.INTERNAL;
    };
  }
}
