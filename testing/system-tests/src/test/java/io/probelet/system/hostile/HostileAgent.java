package io.probelet.system.hostile;

import static org.awaitility.Awaitility.await;

import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;

/** A running agent that honest pods and hostile ones share, and the API server they come from. */
final class HostileAgent implements AutoCloseable {
  final FakeApiServer api = new FakeApiServer();
  final AgentUnderTest agent;

  /** Starts the agent; {@code runtime} is the endpoint of a container runtime, or none. */
  HostileAgent(Path home, String runtime) throws IOException {
    Path kubeconfig = Files.writeString(home.resolve("kubeconfig"), api.kubeconfig());
    // Others may starve this machine, for which the guard would hold restarts.
    Path configuration =
        Files.writeString(
            home.resolve("agent.yaml"),
            "runtime: {endpoint: \"%s\"}\nguard: {enabled: false}\n".formatted(runtime));
    agent =
        AgentUnderTest.start(
            "agent",
            "--kubeconfig=" + kubeconfig,
            "--config=" + configuration,
            "--node-name=here",
            "--monitor=none",
            "--listen=127.0.0.1:0");
  }

  /** The texts of all events of this reason that were written about a pod. */
  List<String> events(String namespace, String pod, String reason) {
    return api.writes("/namespaces/" + namespace + "/events").stream()
        .map(FakeApiServer.Request::body)
        .filter(body -> body.contains("\"reason\":\"" + reason + "\""))
        .filter(body -> body.contains("\"name\":\"" + pod + "\""))
        .toList();
  }

  /** A busy machine runs everything slowly. */
  static ConditionFactory patiently() {
    return await().atMost(Duration.ofMinutes(2)).ignoreExceptions();
  }

  @Override
  public void close() {
    agent.close();
    api.close();
  }
}
