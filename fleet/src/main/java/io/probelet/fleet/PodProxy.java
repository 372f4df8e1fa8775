package io.probelet.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiServer;
import io.probelet.web.api.JsonLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;

/**
 * Sends requests to pods through the API server's proxy. A pod may be compromised: an answer has
 * limits of bytes and time, and is treated as bytes only.
 */
final class PodProxy {
  private static final int MAX_WHY = 200;
  private static final Duration MAX_TIME = Duration.ofSeconds(15);
  private static final int MISDIRECTED = 421;

  private final ApiServer api;
  private final TimeSource time;

  PodProxy(ApiServer api, TimeSource time) {
    this.api = api;
    this.time = time;
  }

  /**
   * Asks once, and waits for the answer.
   *
   * @param limits what the answer may have
   * @return the body, which is JSON within the limits
   * @throws RefusedAnswerException if it is not
   * @throws ForbiddenException if a right is missing; the message says which
   * @throws IOException if there was no answer; the message is for the user
   */
  byte[] get(String namespace, String pod, int port, String path, JsonLimits limits)
      throws IOException, InterruptedException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    long began = time.nanoTime();
    String[] excess = {""};
    ApiResult answer =
        api.stream(
            "/api/v1/namespaces/%s/pods/%s:%d/proxy%s"
                .formatted(encoded(namespace), encoded(pod), port, path),
            MAX_TIME,
            more -> {
              if (body.size() + more.remaining() > limits.bytes()) {
                excess[0] = "more than " + (limits.bytes() >> 20) + " MiB";
              } else if (time.nanoTime() - began > MAX_TIME.toNanos()) {
                excess[0] = "more than " + MAX_TIME.toSeconds() + " s";
              }
              if (!excess[0].isEmpty()) {
                throw new IOException(excess[0]);
              }
              byte[] piece = new byte[more.remaining()];
              more.get(piece);
              body.writeBytes(piece);
            });
    if (!excess[0].isEmpty()) {
      throw new RefusedAnswerException(pod, excess[0]);
    }
    if (answer instanceof Done) {
      return checked(pod, body.toByteArray(), limits);
    }
    throw failure(namespace, pod, answer);
  }

  private static byte[] checked(String pod, byte[] json, JsonLimits limits) throws IOException {
    try {
      limits.check(json);
      return json;
    } catch (JsonProcessingException malformed) {
      throw new RefusedAnswerException(pod, malformed.getOriginalMessage());
    } catch (IOException excess) {
      throw new RefusedAnswerException(pod, String.valueOf(excess.getMessage()));
    }
  }

  private static IOException failure(String namespace, String pod, ApiResult answer) {
    if (answer.isForbidden()) {
      return new ForbiddenException(
          "requires permission: get pods/proxy in namespace " + namespace);
    }
    if (answer instanceof Refused(int code, String _, Duration _) && code == MISDIRECTED) {
      return new IOException(
          "pod "
              + pod
              + " rejects the API server's host name; add it to http.hosts"
              + " in its configuration");
    }
    return new IOException(
        "pod %s cannot be asked through the API server: %s"
            .formatted(pod, FleetText.of(answer.summary(), FleetText.SENTENCE)));
  }

  /** A name that is no name of a pod leads nowhere else. */
  static String encoded(String name) {
    return ApiPath.encoded(name).replace(".", "%2E");
  }

  /** A right is missing. */
  static final class ForbiddenException extends IOException {
    private static final long serialVersionUID = 1;

    ForbiddenException(String message) {
      super(message);
    }
  }

  /** An answer is not JSON or more than it may be. */
  static final class RefusedAnswerException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedAnswerException(String pod, String why) {
      super("response of pod " + pod + " refused: " + FleetText.of(why, MAX_WHY));
    }
  }
}
