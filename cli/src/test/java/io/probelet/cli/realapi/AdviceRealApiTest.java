package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.manifest.ManifestReader;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.pod.Purpose.Use;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Advice is given where the API server warns, and of the same. */
@Tag("real-api")
@Timeout(300)
class AdviceRealApiTest {
  private static final int MINOR = 36;

  /**
   * Words of the server's warnings, and our name for them. Of negative grace periods it does not
   * warn: it corrects them first.
   */
  private static final SequencedMap<String, String> NAMES = new LinkedHashMap<>();

  static {
    NAMES.put("fractional byte value", "fractional-bytes");
    NAMES.put("hostIP set without hostPort", "host-ip-without-host-port");
    NAMES.put("duplicate port definition", "duplicate-port");
    NAMES.put("overlapping port definition", "overlapping-port");
    NAMES.put("dangerously ambiguous port", "ambiguous-host-port");
    NAMES.put("duplicate port name", "duplicate-port-name");
    NAMES.put("hides previous definition", "duplicate-variable");
  }

  private static final List<String> SPECS =
      List.of(
          "\"hostNetwork\": true; \"ports\": [{\"containerPort\": 80, \"hostIP\": \"127.0.0.1\"}]",
          "; \"resources\": {\"limits\": {\"memory\": \"400m\"}}",
          "; \"resources\": {\"requests\": {\"ephemeral-storage\": \"1500m\", \"cpu\": \"1m\"}}",
          "; \"resources\": {\"limits\": {\"memory\": \"1.5Ki\"}}",
          "; \"resources\": {\"limits\": {\"memory\": \"2000m\"}}",
          "; \"resources\": {\"limits\": {\"memory\": \"0.1Ki\"}}",
          "; \"ports\": [{\"containerPort\": 80, \"hostIP\": \"127.0.0.1\"}]",
          "; \"ports\": [{\"containerPort\": 80}, {\"containerPort\": 80}]",
          "; \"ports\": [{\"containerPort\": 80}, {\"containerPort\": 80, \"protocol\": \"UDP\"}]",
          "; \"ports\": [{\"containerPort\": 80}, {\"containerPort\": 80, \"hostPort\": 80}]",
          "; \"ports\": [{\"containerPort\": 80, \"hostPort\": 80},"
              + " {\"containerPort\": 80, \"hostPort\": 80, \"hostIP\": \"10.0.0.1\"}]",
          "; \"ports\": [{\"containerPort\": 80, \"hostPort\": 80},"
              + " {\"containerPort\": 80, \"hostPort\": 81}]",
          "\"initContainers\": [{\"name\": \"i\", \"image\": \"i\", \"ports\":"
              + " [{\"name\": \"www\", \"containerPort\": 81}]}]; \"ports\": [{\"name\": \"www\", \"containerPort\": 80}]",
          "; \"env\": [{\"name\": \"A\", \"value\": \"a\"}, {\"name\": \"A\", \"value\": \"b\"}]",
          "; \"env\": [{\"name\": \"A\", \"value\": \"a\"}, {\"name\": \"A\", \"value\": \"$(A)\"}]",
          "; \"env\": [{\"name\": \"A\", \"value\": \"a\"}, {\"name\": \"A\", \"value\": \"b$(A)\"}]",
          "; \"env\": [{\"name\": \"A\", \"value\": \"a\"}, {\"name\": \"A\", \"valueFrom\":"
              + " {\"fieldRef\": {\"fieldPath\": \"metadata.name\"}}}]");

  @TempDir Path directory;

  @Test
  @DisplayName("advice on ports, resources, and variables is what the server warns of")
  void sameWarnings() throws Exception {
    try (RealApi api = RealApi.open(directory)) {
      api.assumeSince(MINOR);
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> api.client().namespaces().withName("default").get() != null);
      List<String> different = new ArrayList<>();
      TreeSet<String> seen = new TreeSet<>();
      for (String spec : SPECS) {
        String pod = pod(spec);
        Set<String> theirs = theirs(api, pod);
        Set<String> ours = ours(pod);
        if (!theirs.equals(ours)) {
          different.add("%s: API server: %s, we: %s".formatted(spec, theirs, ours));
        }
        seen.addAll(theirs);
      }
      assertThat(different).isEmpty();
      assertThat(seen).containsExactlyInAnyOrderElementsOf(NAMES.values());
    }
  }

  private static String pod(String fields) {
    String[] parts = fields.split(";", 2);
    return """
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "advised"}, "spec": {%s
      "containers": [{"name": "web", "image": "i",
        "readinessProbe": {"tcpSocket": {"port": 80}}%s}]}}
    """
        .formatted(
            parts[0].isBlank() ? "" : parts[0] + ",", parts.length == 1 ? "" : "," + parts[1]);
  }

  private static Set<String> theirs(RealApi api, String pod) throws Exception {
    HttpClient http = api.client().getHttpClient();
    HttpResponse<String> answer =
        http.sendAsync(
                http.newHttpRequestBuilder()
                    .uri(api.client().getMasterUrl() + "api/v1/namespaces/default/pods?dryRun=All")
                    .post("application/json", pod)
                    .build(),
                String.class)
            .get(1, TimeUnit.MINUTES);
    assertThat(answer.isSuccessful()).as(pod + answer.body()).isTrue();
    TreeSet<String> names = new TreeSet<>();
    for (String warning : answer.headers("Warning")) {
      names.add(
          NAMES.entrySet().stream()
              .filter(each -> warning.contains(each.getKey()))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse(warning));
    }
    return names;
  }

  private Set<String> ours(String pod) throws Exception {
    Path file = Files.writeString(directory.resolve("pod.json"), pod);
    Use use = new Use(Mode.PROBES_ONLY, AgentConfiguration.DEFAULT.podRules());
    List<Problem> problems =
        ManifestReader.read(
                List.of(file),
                new Purpose(use, use, List.of(), false, true, Map.of()),
                InputStream.nullInputStream())
            .problems();
    TreeSet<String> names = new TreeSet<>();
    problems.stream()
        .filter(problem -> problem.severity() == Severity.ADVICE)
        .map(Problem::rule)
        .filter(NAMES::containsValue)
        .forEach(names::add);
    return names;
  }
}
