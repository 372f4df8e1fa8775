package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Queries the kubelet's health endpoint. Until something has listened there, a refused connection
 * is no evidence, so a container without the node's network raises no alarm.
 */
final class KubeletCheck implements NodeCheck {
  private static final Duration TIMEOUT = Duration.ofSeconds(4);
  private static final int LONGEST_COMPLAINT = 200;

  private final URI healthz;
  private final Duration timeout;
  private volatile boolean listened;

  /** Creates a check; {@code expected} if a kubelet must listen there. */
  KubeletCheck(URI healthz, boolean expected) {
    this(healthz, expected, TIMEOUT);
  }

  KubeletCheck(URI healthz, boolean expected, Duration timeout) {
    this.healthz = healthz;
    this.timeout = timeout;
    listened = expected;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    HttpURLConnection connection = (HttpURLConnection) healthz.toURL().openConnection();
    connection.setConnectTimeout((int) timeout.toMillis());
    connection.setReadTimeout((int) timeout.toMillis());
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    try {
      connection.connect();
      listened = true;
      int status = connection.getResponseCode();
      return status == HttpURLConnection.HTTP_OK
          ? NodeCheckResult.OK
          : new NodeCheckResult.Problem(
              healthz + " answered with status " + status + complaint(connection));
    } catch (SocketTimeoutException silent) {
      return new NodeCheckResult.Problem(
          healthz + " did not answer within " + timeout.toSeconds() + "s");
    } catch (ConnectException refused) {
      if (!listened) {
        throw new UnavailableException(
            Obstacle.NOT_THERE,
            "nothing has listened at " + healthz + " since the agent started",
            refused);
      }
      return new NodeCheckResult.Problem("kubelet does not listen at " + healthz);
    } catch (IOException broken) {
      if (!listened) {
        throw broken;
      }
      return new NodeCheckResult.Problem(
          healthz + " closed the connection: " + broken.getMessage());
    } finally {
      connection.disconnect();
    }
  }

  private static String complaint(HttpURLConnection connection) {
    InputStream body = connection.getErrorStream();
    String text = "";
    if (body != null) {
      try {
        text = new String(body.readNBytes(LONGEST_COMPLAINT), StandardCharsets.UTF_8).strip();
      } catch (IOException brokenOff) {
        // the status is enough
      }
    }
    return text.isEmpty() ? "" : ": " + text;
  }
}
