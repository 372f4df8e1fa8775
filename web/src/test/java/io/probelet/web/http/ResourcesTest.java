package io.probelet.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.web.Snapshots;
import io.probelet.web.http.HealthResource.Check;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands behind each path. */
class ResourcesTest {
  private static final List<ContainerSnapshot> CONTAINERS =
      List.of(
          Snapshots.running("shop", "web", "nginx"),
          Snapshots.running(
              "shop",
              "db",
              "sidecar",
              Snapshots.failing(ProbeKind.LIVENESS, "httpGet", "x".repeat(1_000))),
          Snapshots.container(
              "shop",
              "db",
              "aardvark",
              ContainerObservation.waiting("x", 4, "CrashLoopBackOff"),
              false,
              false,
              Snapshots.succeeding(ProbeKind.READINESS, "tcpSocket"),
              Snapshots.untried(ProbeKind.STARTUP, "exec")),
          Snapshots.running("default", "zoo", "ape"));

  private final ContainersResource containers =
      new ContainersResource(
          new Containers((_, which) ->
              CompletableFuture.completedFuture(
                  CONTAINERS.stream()
                      .filter(each -> which.test(each.status().pod(), each.status().name()))
                      .toList())));

  @Test
  void containersComeByNamespaceAndPodAndThenInTheOrderOfTheManifest() throws Exception {
    String json = content(containers.get(Map.of()));
    assertThat(json)
        .containsSubsequence("\"ape\"", "\"sidecar\"", "\"aardvark\"", "\"nginx\"")
        .startsWith("[{")
        .doesNotContain("history");
  }

  @ParameterizedTest
  @CsvSource({
    "shop/db, '', 2",
    "shop/db, aardvark, 1",
    "'', ape, 1",
    "shop/zoo, '', 0",
    "shop/db, nginx, 0"
  })
  void onePodOrContainerCanBeAskedFor(String pod, String container, int found) throws Exception {
    String json =
        content(containers.get(Map.of("pod", List.of(pod), "container", List.of(container))));
    assertThat(json.split("\"namespace\"", -1).length - 1).as(json).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource({"shop, '', 3", "shop, shop/db, 2", "'', '', 4", "nowhere, '', 0"})
  void oneNamespaceCanBeAskedFor(String namespace, String pod, int found) throws Exception {
    String json =
        content(containers.get(Map.of("namespace", List.of(namespace), "pod", List.of(pod))));
    assertThat(json.split("\"namespace\"", -1).length - 1).as(json).isEqualTo(found);
  }

  @Test
  void refusesNamespaceThatIsTooLongOrNotThePods() {
    assertThatThrownBy(() -> containers.get(Map.of("namespace", List.of("n".repeat(64)))))
        .isInstanceOf(BadRequest.class)
        .hasMessageStartingWith("namespace must have at most 63 characters, found nnn");
    assertThatThrownBy(
            () -> containers.get(Map.of("namespace", List.of("a"), "pod", List.of("b/web"))))
        .isInstanceOf(BadRequest.class)
        .hasMessage("pod and namespace must name the same namespace");
  }

  /** Attack: one tenant's messages make the list of all containers too large for its readers. */
  @Test
  void listOfManyHasShortMessages() throws Exception {
    assertThat(content(containers.get(Map.of()))).contains("x…").doesNotContain("x".repeat(257));
    assertThat(content(containers.get(Map.of("pod", List.of("shop/db")))))
        .contains("x".repeat(1_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"web", "/web", "shop/"})
  void aPodIsNamedWithItsNamespace(String pod) {
    assertThatThrownBy(() -> containers.get(Map.of("pod", List.of(pod))))
        .isInstanceOf(BadRequest.class)
        .hasMessage("pod must be NAMESPACE/NAME, found " + pod);
  }

  @ParameterizedTest
  @CsvSource({"true, 3", "'', 3", "2, 2", "60, 3", "0, 0", "false, 0"})
  void historyGivesAsManyOutcomesAsAskedFor(String wanted, int outcomes) throws Exception {
    String json = content(containers.get(Map.of("history", List.of(wanted))));
    assertThat(json.split("\"latencyMs\":2.5", -1).length - 1 - (outcomes > 0 ? 1 : 0))
        .as("outcomes of the tcpSocket probe: %s", json)
        .isEqualTo(outcomes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "-1", "1e3", "99999"})
  void historyRefusesOtherValues(String wanted) {
    assertThatThrownBy(() -> containers.get(Map.of("history", List.of(wanted))))
        .isInstanceOf(BadRequest.class)
        .hasMessage("history must be true, false or a number from 0 to 9999, found " + wanted);
  }

  @ParameterizedTest
  @CsvSource({"true, UPTIME", "'', UPTIME", "false, NONE"})
  void uptimeIsAskedForByAParameter(String wanted, HistoryQuery.Day day) throws Exception {
    List<HistoryQuery> asked = new ArrayList<>();
    ContainersResource resource =
        new ContainersResource(
            new Containers((query, _) -> {
              asked.add(query);
              return CompletableFuture.completedFuture(List.of());
            }));
    assertThat(content(resource.get(Map.of("uptime", List.of(wanted))))).isEqualTo("[]");
    assertThat(asked).containsExactly(new HistoryQuery(0, day));
    assertThatThrownBy(() -> containers.get(Map.of("uptime", List.of("1h"))))
        .isInstanceOf(BadRequest.class)
        .hasMessage("uptime must be true or false, found 1h");
  }

  @Test
  void healthIsOkWhenEveryCheckPasses() throws IOException {
    LinkedHashMap<String, Check> checks = new LinkedHashMap<>();
    checks.put("manifests", Optional::empty);
    checks.put("runtime", Optional::empty);
    HealthResource health = new HealthResource(checks);

    assertThat(health.get(Map.of()).status()).isEqualTo(200);
    assertThat(content(health.get(Map.of()))).isEqualTo("ok\n");
    assertThat(content(health.get(Map.of("verbose", List.of("")))))
        .isEqualTo("[+]manifests ok\n[+]runtime ok\ncheck passed\n");
  }

  @Test
  void healthNamesWhatFailsAndWhy() throws IOException {
    LinkedHashMap<String, Check> checks = new LinkedHashMap<>();
    checks.put("manifests", () -> Optional.of("not read yet"));
    checks.put("loops", Optional::empty);
    checks.put(
        "runtime",
        () -> {
          throw new IOException("socket gone");
        });
    Answer answer = new HealthResource(checks).get(Map.of());

    assertThat(answer.status()).isEqualTo(503);
    assertThat(content(answer))
        .isEqualTo(
            """
            [-]manifests failed: not read yet
            [+]loops ok
            [-]runtime failed: java.io.IOException: socket gone
            check failed
            """);
  }

  private static String content(Answer answer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
