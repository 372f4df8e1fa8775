package io.probelet.agent.status;

import com.fasterxml.jackson.core.JacksonException;
import io.probelet.agent.api.ContainerView;
import io.probelet.agent.api.ContainersJson;
import io.probelet.agent.http.ListenAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Asks a running agent for its containers. */
final class AgentClient {
  private static final int CONNECT_MILLIS = (int) Duration.ofSeconds(2).toMillis();
  private static final int READ_MILLIS = (int) Duration.ofSeconds(10).toMillis();

  private final ListenAddress agent;

  /**
   * Creates a client that has not connected yet.
   *
   * @param agent where it listens
   */
  AgentClient(ListenAddress agent) {
    this.agent = agent;
  }

  /**
   * What an agent answered.
   *
   * @param json as it came
   * @param containers read from it
   */
  record Reply(String json, List<ContainerView> containers) {}

  /**
   * Asks once.
   *
   * @param history how many past outcomes of each probe are wanted
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  Reply containers(int history) throws IOException {
    URI uri = URI.create("http://" + agent + "/api/v1/containers?history=" + history);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(READ_MILLIS);
    connection.setInstanceFollowRedirects(false);
    try {
      connection.connect();
    } catch (IOException absent) {
      throw new IOException(
          "no Probelet listens on %s (%s); start one with `probelet run`, or say where with --address"
              .formatted(agent, absent.getMessage()),
          absent);
    }
    try {
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw new IOException("status " + connection.getResponseCode());
      }
      try (InputStream body = connection.getInputStream()) {
        byte[] json = body.readAllBytes();
        return new Reply(
            new String(json, StandardCharsets.UTF_8),
            ContainersJson.read(new ByteArrayInputStream(json)));
      }
    } catch (JacksonException otherProgram) {
      throw new IOException("what listens on " + agent + " is no Probelet", otherProgram);
    } catch (IOException failed) {
      throw new IOException(
          "no answer from the Probelet on " + agent + ": " + failed.getMessage(), failed);
    } finally {
      connection.disconnect();
    }
  }
}
