package io.probelet.system.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.system.cases.ProbeCase.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kubernetes' cases with {@code probelet run}: each is a pod of local processes. */
@TestInstance(Lifecycle.PER_CLASS)
class LocalCasesTest {
  private CaseServers servers;
  private List<ProbeCase> cases;
  private AgentUnderTest agent;
  private Path manifests;
  private final Map<String, String> complaints = new HashMap<>();
  private final Set<String> notReadyAtEnd = new HashSet<>();

  @BeforeAll
  void start(@TempDir Path home) throws IOException {
    servers = new CaseServers();
    cases = ProbeCase.all(servers);
    manifests = Files.createDirectory(home.resolve("pods"));
    for (ProbeCase each : cases) {
      Path own = Files.createDirectory(home.resolve(each.name()));
      Files.writeString(file(each), manifest(each).replace("@DIR@", own.toString()));
    }
    agent =
        AgentUnderTest.start(
            "run",
            manifests.toString(),
            "--listen=127.0.0.1:0",
            "--log-dir=" + home.resolve("logs"),
            "--back-off=100ms",
            "--back-off-max=100ms");
  }

  /** Some have a long grace period, and are ended with their agent all the same. */
  @AfterAll
  void stop() throws IOException {
    agent.close();
    servers.close();
  }

  private static String manifest(ProbeCase each) {
    String probed =
        "{\"name\": \"%s\", \"command\": [\"sh\", \"-c\", \"%s\"], %s%s}"
            .formatted(
                each.name(),
                each.script(),
                each.probes(),
                each.sidecar() ? ", \"restartPolicy\": \"Always\"" : "");
    String main = "{\"name\": \"main\", \"command\": [\"sleep\", \"100000\"]}";
    return """
    {"apiVersion": "v1", "kind": "Pod",
     "metadata": {"name": "%1$s", "annotations": {"probelet.io/probes": "%1$s: {%5$s}"}},
     "spec": {"terminationGracePeriodSeconds": %2$d, "initContainers": [%3$s],
         "containers": [%4$s]}}
    """
        .formatted(
            each.name(),
            each.grace(),
            each.sidecar() ? probed : "",
            each.sidecar() ? main : probed,
            each.kinds().stream()
                .map(kind -> kind + ": {period: 500ms}")
                .collect(Collectors.joining(", ")));
  }

  List<ProbeCase> cases() {
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  @DisplayName("a local container")
  void local(ProbeCase each) throws Exception {
    if (each.outcome() == Outcome.NOT_READY_AT_END) {
      ends(each);
      return;
    }
    patiently().until(() -> complaintsOfReached().containsKey(each.name()));
    assertThat(complaints.get(each.name())).isEmpty();
    if (each.outcome() == Outcome.WARNED) {
      assertThat(agent.lines())
          .anyMatch(line ->
              line.contains(
                  each.name()
                      + " liveness warning: Probe terminated redirects, Response"
                      + " body: <a href=\"http://0.0.0.0/\">Found</a>."));
    }
  }

  /**
   * Also ends what has come to where it must: all of them together start more processes than a slow
   * machine can, and who does not get the processor discards what takes longer than its timeout.
   */
  private Map<String, String> complaintsOfReached() throws Exception {
    Map<String, JsonNode> containers = containers();
    for (ProbeCase each : cases) {
      JsonNode is = containers.get(each.name());
      if (is == null || complaints.containsKey(each.name())) {
        continue;
      }
      int restarts = is.path("restartCount").asInt();
      if (each.isReached(is, restarts, servers)) {
        complaints.put(each.name(), each.complaint(is, restarts, servers));
        Files.delete(file(each));
      }
    }
    return complaints;
  }

  private void ends(ProbeCase each) throws Exception {
    assertThat(seenNotReadyAtEnd()).contains(each.name());
    patiently().until(() -> container(each).isEmpty());
    assertThat(agent.lines())
        .noneMatch(line -> line.contains(each.name() + " liveness failed"))
        .noneMatch(line -> line.contains(each.name() + " failed liveness probe"));
  }

  /** Ends all of those cases at once, for they take a while, and keeps an eye on each. */
  private Set<String> seenNotReadyAtEnd() throws Exception {
    if (!notReadyAtEnd.isEmpty()) {
      return notReadyAtEnd;
    }
    List<ProbeCase> ending =
        cases.stream().filter(each -> each.outcome() == Outcome.NOT_READY_AT_END).toList();
    for (ProbeCase each : ending) {
      patiently().until(() -> isReady(each));
    }
    for (ProbeCase each : ending) {
      Files.delete(file(each));
    }
    patiently()
        .until(() -> {
          Map<String, JsonNode> containers = containers();
          for (ProbeCase each : ending) {
            Optional.ofNullable(containers.get(each.name()))
                .filter(is -> is.path("state").asText().equals("Running"))
                .filter(is -> !is.path("ready").asBoolean())
                .ifPresent(_ -> notReadyAtEnd.add(each.name()));
          }
          return notReadyAtEnd.size() == ending.size();
        });
    return notReadyAtEnd;
  }

  private boolean isReady(ProbeCase each) throws Exception {
    return container(each).filter(is -> is.path("ready").asBoolean()).isPresent();
  }

  private Optional<JsonNode> container(ProbeCase each) throws Exception {
    return Optional.ofNullable(containers().get(each.name()));
  }

  /** By their names, which those of cases have alone. */
  private Map<String, JsonNode> containers() throws Exception {
    Map<String, JsonNode> containers = new HashMap<>();
    agent.containers().forEach(is -> containers.put(is.path("container").asText(), is));
    return containers;
  }

  private Path file(ProbeCase each) {
    return manifests.resolve(each.name() + ".json");
  }

  /** As patient as a busy machine needs; in time nothing of it is used up. */
  private static ConditionFactory patiently() {
    return await()
        .atMost(Duration.ofMinutes(2))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(200));
  }
}
