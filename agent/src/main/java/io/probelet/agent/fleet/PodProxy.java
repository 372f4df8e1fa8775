package io.probelet.agent.fleet;

import io.probelet.health.TimeSource;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;

/**
 * Asks pods through the API server's proxy. What answers may be an intruder's: an answer has a most
 * number of bytes, a most time, and is no more than bytes.
 */
final class PodProxy {
  /** Enough for 500 containers with their histories. */
  static final int MAX_BYTES = 8 << 20;

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
   * @param namespace the pod's namespace
   * @param pod its name
   * @param port where it listens
   * @param path from the root, with its query
   * @return the body
   * @throws ForbiddenException if a right is missing; the message says which
   * @throws IOException if there was no answer; the message is for the user
   */
  byte[] get(String namespace, String pod, int port, String path)
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
              if (body.size() + more.remaining() > MAX_BYTES) {
                excess[0] = "its answer has more than " + (MAX_BYTES >> 20) + " MiB";
              } else if (time.nanoTime() - began > MAX_TIME.toNanos()) {
                excess[0] = "its answer takes longer than " + MAX_TIME.toSeconds() + " s";
              }
              if (!excess[0].isEmpty()) {
                throw new IOException(excess[0]);
              }
              byte[] piece = new byte[more.remaining()];
              more.get(piece);
              body.writeBytes(piece);
            });
    if (!excess[0].isEmpty()) {
      throw new IOException("pod " + pod + ": " + excess[0]);
    }
    if (answer instanceof Done) {
      return body.toByteArray();
    }
    throw failure(namespace, pod, answer);
  }

  private static IOException failure(String namespace, String pod, ApiResult answer) {
    if (answer.isForbidden()) {
      return new ForbiddenException(
          "not allowed: it takes the right get on pods/proxy in namespace " + namespace);
    }
    if (answer instanceof Refused(int code, String _, Duration _) && code == MISDIRECTED) {
      return new IOException(
          "pod "
              + pod
              + " refuses the host name by which the API server is reached; add that to http.hosts"
              + " of its configuration");
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
}
