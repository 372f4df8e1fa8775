package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.cli.realapi.PodVariations.Change;
import io.probelet.document.field.Problem;
import io.probelet.manifest.ManifestReader;
import io.probelet.manifest.Manifests;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.policy.PodRules;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pods that we accept are accepted by the API server, and those that we refuse are refused. */
@Tag("real-api")
@Timeout(300)
class ManifestRealApiTest {
  private static final int MINOR = 36;
  private static final int MISTYPED = 100;
  private static final int COMBINED = 100;
  private static final int AT_ONCE = 16;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path directory;
  private RealApi api;
  private HttpClient http;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    http = api.client().getHttpClient();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> api.client().namespaces().withName("default").get() != null);
  }

  @AfterEach
  void close() {
    if (api != null) {
      api.close();
    }
  }

  @Test
  @DisplayName("P-25 judges single and combined changes of a pod as the server does")
  void variations() throws Exception {
    api.assumeSince(MINOR);
    long seed = Long.getLong("probelet.seed", new Random().nextLong());
    Random random = new Random(seed);
    List<List<Change>> variations = new ArrayList<>(PodVariations.single(random, MISTYPED));
    variations.addAll(PodVariations.combined(random, COMBINED));
    assertThat(differences(variations)).as("again with -Dprobelet.seed=%d", seed).isEmpty();
  }

  @Test
  @DisplayName(
      "the types of the fields of pods and workloads are those of the server's OpenAPI document")
  void types() throws Exception {
    api.assumeSince(MINOR);
    JsonNode document = JSON.readTree(api.client().raw("/openapi/v2"));
    OpenApiTypes types = new OpenApiTypes(document.path("definitions"));
    types.add("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
    types.add("io.k8s.api.core.v1.PodSpec");
    for (String kind : List.of("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")) {
      types.add("io.k8s.api.apps.v1." + kind + "Spec");
    }
    types.add("io.k8s.api.batch.v1.JobSpec");
    types.add("io.k8s.api.batch.v1.CronJobSpec");
    try (InputStream in = ManifestReader.class.getResourceAsStream("pod/types")) {
      assertThat(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8))
          .endsWith(types.toString());
    }
  }

  private List<String> differences(List<List<Change>> variations) throws Exception {
    List<String> different = new ArrayList<>();
    for (int from = 0; from < variations.size(); from += AT_ONCE) {
      List<List<Change>> some =
          variations.subList(from, Math.min(from + AT_ONCE, variations.size()));
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (List<Change> changes : some) {
        answers.add(ask(PodVariations.apply(changes)));
      }
      for (int i = 0; i < some.size(); i++) {
        compare(some.get(i), theirs(answers.get(i).get(1, TimeUnit.MINUTES)), different);
      }
    }
    return different;
  }

  private void compare(List<Change> changes, String theirs, List<String> different)
      throws Exception {
    String pod = PodVariations.apply(changes);
    String ours = ours(pod, Mode.PROBES_ONLY);
    if (theirs.isEmpty() != ours.isEmpty()) {
      different.add("%s: API server: %s, we: %s".formatted(changes, word(theirs), word(ours)));
    } else if (!theirs.isEmpty()
        && !theirs.contains("image: Required") // not needed for processes
        && ours(pod, Mode.STANDALONE_PROCESS).isEmpty()) {
      different.add("%s: API server: %s, we for processes: ok".formatted(changes, theirs));
    }
  }

  private static String word(String complaint) {
    return complaint.isEmpty() ? "ok" : complaint;
  }

  private String ours(String pod, Mode mode) throws Exception {
    Path file = Files.writeString(directory.resolve("pod.json"), pod);
    PodRules rules =
        mode == Mode.PROBES_ONLY ? AgentConfiguration.DEFAULT.podRules() : PodRules.LOCAL;
    Manifests manifests = ManifestReader.read(List.of(file), mode, rules);
    return manifests.problems().stream()
        .filter(Problem::isError)
        .map(problem -> problem.field() + ": " + problem.message())
        .findFirst()
        .orElse("");
  }

  /** As {@code kubectl create --dry-run=server} asks; unknown fields are a warning. */
  private CompletableFuture<HttpResponse<String>> ask(String pod) {
    return http.sendAsync(
        http.newHttpRequestBuilder()
            .uri(
                api.client().getMasterUrl()
                    + "api/v1/namespaces/default/pods?dryRun=All&fieldValidation=Warn")
            .post("application/json", pod)
            .build(),
        String.class);
  }

  private static String theirs(HttpResponse<String> response) throws Exception {
    return response.isSuccessful()
        ? ""
        : JSON.readTree(response.body()).path("message").asText("refused");
  }
}
