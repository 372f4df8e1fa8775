package io.probelet.cli.status;

import com.fasterxml.jackson.core.JacksonException;
import io.probelet.health.FailureReason;
import io.probelet.health.GoDuration;
import io.probelet.web.api.AgentView;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.JsonLimits;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.Source;
import io.probelet.web.api.RecentEvent;
import io.probelet.web.api.ViewJson;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.http.ContainerChoice;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.incident.ExplainedIncident;
import io.probelet.web.remediation.RemediatorsView;
import io.probelet.web.statistics.StatisticsResource;
import io.probelet.web.statistics.StatisticsView;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Queries a running agent for its containers, its node, or its remediations. */
public final class AgentClient {
  private static final int CONNECT_MILLIS = (int) Duration.ofSeconds(2).toMillis();

  /** Time limit of a whole answer; the agent's own limits are shorter. */
  static final Duration ANSWER = Duration.ofSeconds(30);

  private static final int READ_MILLIS = (int) Duration.ofSeconds(10).toMillis();

  private static final String CONTAINERS = "/api/v1/containers";

  /** Another program may listen there. */
  private static final JsonLimits LIMITS = JsonLimits.OF_PROCESS;

  private static final byte[] NO_REMEDIATORS =
      RemediatorsView.NONE.json().getBytes(StandardCharsets.UTF_8);

  private static final byte[] UNWATCHED =
      "{\"conditions\":[],\"sources\":[]}".getBytes(StandardCharsets.UTF_8);

  private final ListenAddress agent;
  private final Duration within;

  /** Creates a client that has not connected yet. */
  public AgentClient(ListenAddress agent) {
    this(agent, ANSWER);
  }

  /** Creates a client with another limit for a whole answer. */
  AgentClient(ListenAddress agent, Duration within) {
    this.agent = agent;
    this.within = within;
  }

  /** {@return whether the agent runs on this machine, as far as its address tells} */
  boolean isLocal() {
    return agent.isLoopback();
  }

  /**
   * What an agent answered.
   *
   * @param node the node, without conditions if it is not monitored
   */
  record Reply(String json, List<ContainerView> containers, NodeView node) {
    List<ConditionView> conditions() {
      return node.conditions();
    }

    /** {@return monitors and checks that cannot run as the agent is installed} */
    List<Source> unavailable() {
      return UnavailableTable.of(node.sources());
    }

    /** {@return the invalid manifests} */
    ManifestsView manifests() {
      AgentView agent = node.agent();
      ManifestsView manifests = agent == null ? null : agent.manifests();
      return manifests == null ? ManifestsView.VALID : manifests;
    }
  }

  /**
   * Asks once.
   *
   * @param history how many past outcomes of each probe are wanted
   * @param choice which containers are wanted; an older agent may answer all of them
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  Reply containers(int history, ContainerChoice choice) throws IOException {
    NodeView node = node(0);
    return ask(
        containersPath(history, choice),
        null,
        json ->
            new Reply(
                new String(json, StandardCharsets.UTF_8),
                ViewJson.readAll(json, ContainerView.class),
                node));
  }

  /**
   * Asks for the node.
   *
   * @param history how many past changes of each condition are wanted
   * @return its state; empty without node monitoring
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  public NodeView node(int history) throws IOException {
    return ask(
        "/api/v1/node?history=" + history, UNWATCHED, json -> ViewJson.read(json, NodeView.class));
  }

  /**
   * Asks for the containers.
   *
   * @param history how many past outcomes of each probe are wanted
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  public List<ContainerView> probed(int history) throws IOException {
    return probed(history, ContainerChoice.ALL);
  }

  /**
   * Asks for the containers, with less of their past if all of it is too large for an answer.
   *
   * @param history how many past outcomes of each probe are wanted
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  public List<ContainerView> probedAtMost(int history) throws IOException {
    for (int less = history; less > 0; less /= 8) {
      try {
        return probed(less);
      } catch (TooLargeException larger) {
        // with less
      }
    }
    return probed(0);
  }

  /**
   * Asks for some containers.
   *
   * @param history how many past outcomes of each probe are wanted
   * @param choice which containers are wanted; an older agent may answer all of them
   * @throws TooLargeException if the answer is larger than a client reads
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  List<ContainerView> probed(int history, ContainerChoice choice) throws IOException {
    return ask(
        containersPath(history, choice), null, json -> ViewJson.readAll(json, ContainerView.class));
  }

  /**
   * Asks for the recent events of containers, pods and the agent.
   *
   * @return the events by their first time, oldest first
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  List<RecentEvent> events() throws IOException {
    return ask("/api/v1/events", null, json -> ViewJson.readAll(json, RecentEvent.class));
  }

  /**
   * Asks for remediation.
   *
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  RemediationStatus remediation() throws IOException {
    RemediatorsView remediators = remediators();
    return ask("/api/v1/remediation", null, json -> RemediationStatus.read(json, remediators));
  }

  /**
   * Asks for remediators.
   *
   * @return their remediations; none if there are no remediators
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  private RemediatorsView remediators() throws IOException {
    return ask(RemediatorsView.PATH, NO_REMEDIATORS, RemediatorsView::parse);
  }

  /**
   * Asks for the statistics of probes.
   *
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  StatisticsView statistics() throws IOException {
    return ask(
        StatisticsResource.PATH,
        null,
        json -> Objects.requireNonNull(ViewJson.read(json, StatisticsView.class)));
  }

  /**
   * Asks for what {@code explain} shows.
   *
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  Explained explained(String path) throws IOException {
    return ask(
        path,
        null,
        json ->
            new Explained(
                new String(json, StandardCharsets.UTF_8),
                ViewJson.readAll(json, ExplainView.class)));
  }

  /**
   * Asks for what happened to containers and why.
   *
   * @param choice which containers
   * @return incidents, newest first
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  List<ExplainedIncident> incidents(ContainerChoice choice) throws IOException {
    return ask(
        "/api/v1/incidents" + choice.parameters(),
        null,
        json -> ViewJson.readAll(json, ExplainedIncident.class));
  }

  /** What an agent explains, as it answered and as it was read. */
  record Explained(String json, List<ExplainView> views) {}

  private static String containersPath(int history, ContainerChoice choice) {
    return CONTAINERS + "?history=" + history + choice.parameters().replace('?', '&');
  }

  /** The agent has answered more than a client reads. */
  static final class TooLargeException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    private TooLargeException(String message, IOException cause) {
      super(message, cause);
    }
  }

  /** Reads an answer. */
  @FunctionalInterface
  private interface Reading<T> {
    T read(byte[] json) throws IOException;
  }

  /**
   * Asks for a path, on a thread that can be interrupted: a server may send one byte at a time.
   *
   * @param unknownPath the answer of an agent that has no such path
   */
  private <T> T ask(String path, byte @Nullable [] unknownPath, Reading<T> reading)
      throws IOException {
    FutureTask<T> asking = new FutureTask<>(() -> answer(path, unknownPath, reading));
    Thread.ofVirtual().start(asking);
    try {
      return asking.get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new IOException(
          "the agent at %s did not answer within %s".formatted(agent, GoDuration.format(within)));
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException why) {
        throw why;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopping);
    } finally {
      asking.cancel(true); // closes its socket
    }
  }

  private <T> T answer(String path, byte @Nullable [] unknownPath, Reading<T> reading)
      throws IOException {
    URI uri = URI.create("http://" + agent + path);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(READ_MILLIS);
    connection.setInstanceFollowRedirects(false);
    try {
      connection.connect();
    } catch (IOException noListener) {
      throw absent(noListener);
    }
    try {
      int code = connection.getResponseCode();
      if (code == HttpURLConnection.HTTP_NOT_FOUND) {
        if (unknownPath != null) {
          return reading.read(unknownPath);
        }
        throw new IOException(path.replaceFirst("[?].*", "") + " is not served there");
      }
      if (code != HttpURLConnection.HTTP_OK) {
        throw new IOException("HTTP status " + code);
      }
      try (InputStream body = connection.getInputStream()) {
        byte[] json = body.readNBytes(LIMITS.bytes() + 1); // one more than is allowed
        LIMITS.check(json);
        return reading.read(json);
      }
    } catch (ConnectException noListener) { // a kept-alive connection was reused
      throw absent(noListener);
    } catch (JacksonException otherProgram) {
      throw new IOException(agent + " is not a Probelet agent: unexpected response", otherProgram);
    } catch (JsonLimits.ExceededException tooLarge) {
      boolean all = path.startsWith(CONTAINERS) && !path.contains("&namespace=");
      throw new TooLargeException(
          "no valid answer from the agent at %s: %s%s"
              .formatted(agent, tooLarge.getMessage(), all ? "; choose one namespace with -n" : ""),
          tooLarge);
    } catch (IOException failed) {
      throw new IOException(
          "no valid answer from the agent at " + agent + ": " + FailureReason.of(failed), failed);
    } finally {
      connection.disconnect();
    }
  }

  private IOException absent(IOException reason) {
    return new IOException(
        "no agent at %s: %s; start one with `probelet run`, or name its address with --address"
            .formatted(agent, FailureReason.of(reason)),
        reason);
  }
}
