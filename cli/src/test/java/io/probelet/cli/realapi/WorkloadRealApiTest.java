package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.document.field.Problem;
import io.probelet.manifest.ManifestReader;
import io.probelet.manifest.pod.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workloads that we accept are accepted by the API server, and those that we refuse are refused.
 */
@Tag("real-api")
@Timeout(300)
class WorkloadRealApiTest {
  private static final int MINOR = 36;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> KINDS =
      List.of("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob");

  /** A field of the workload, SPEC being that with the template, and a value; none removes it. */
  private static final List<String> CHANGES =
      List.of(
          "/metadata/name none",
          "/metadata/name \"A_b\"",
          "/metadata/name \"a.b\"",
          "/metadata/name \"%s\"".formatted("a".repeat(60)),
          "/metadata/name \"%s\"".formatted("a".repeat(70)),
          "/metadata/labels {\"a b\":\"c\"}",
          "/metadata/annotations {\"a b\":\"c\"}",
          "/spec none",
          "SPEC/selector none",
          "SPEC/selector {}",
          "SPEC/selector {\"matchLabels\":{\"app\":\"b\"}}",
          "SPEC/selector {\"matchLabels\":{\"app\":\"-\"}}",
          "SPEC/replicas -1",
          "SPEC/replicas \"two\"",
          "SPEC/parallelism -1",
          "SPEC/completions -1",
          "SPEC/backoffLimit -1",
          "SPEC/minReadySeconds -1",
          "SPEC/revisionHistoryLimit -1",
          "SPEC/ttlSecondsAfterFinished -1",
          "/spec/failedJobsHistoryLimit -1",
          "/spec/startingDeadlineSeconds -1",
          "/spec/strategy {\"type\":\"Odd\"}",
          "/spec/strategy {\"type\":\"Recreate\"}",
          "/spec/updateStrategy {\"type\":\"Odd\"}",
          "/spec/updateStrategy {\"type\":\"OnDelete\"}",
          "/spec/podManagementPolicy \"Odd\"",
          "/spec/podManagementPolicy \"\"",
          "/spec/podManagementPolicy \"Parallel\"",
          "/spec/concurrencyPolicy \"Odd\"",
          "/spec/concurrencyPolicy \"\"",
          "/spec/concurrencyPolicy \"Forbid\"",
          "SPEC/completionMode \"Odd\"",
          "SPEC/completionMode \"\"",
          "SPEC/template none",
          "SPEC/template/metadata/labels {\"app\":\"web\",\"a b\":\"c\"}",
          "SPEC/template/spec/restartPolicy \"Always\"",
          "SPEC/template/spec/restartPolicy \"Never\"",
          "SPEC/template/spec/restartPolicy \"OnFailure\"",
          "SPEC/template/spec/restartPolicy none",
          "SPEC/template/spec/activeDeadlineSeconds 5",
          "SPEC/template/spec/containers/0/livenessProbe/periodSeconds -1");

  @TempDir Path directory;

  @Test
  @DisplayName("judges each change of each kind of workload as the server does")
  void variations() throws Exception {
    try (RealApi api = RealApi.open(directory)) {
      api.assumeSince(MINOR);
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> api.client().namespaces().withName("default").get() != null);
      List<String> different = new ArrayList<>();
      for (String kind : KINDS) {
        for (String change : CHANGES) {
          String workload = changed(kind, change);
          String theirs = theirs(api, kind, workload);
          String ours = ours(workload);
          if (theirs.isEmpty() != ours.isEmpty()) {
            different.add("%s %s: server: %s, we: %s".formatted(kind, change, theirs, ours));
          }
        }
      }
      assertThat(different).isEmpty();
    }
  }

  private static String changed(String kind, String change) throws Exception {
    JsonNode workload = workload(kind);
    String spec = kind.equals("CronJob") ? "/spec/jobTemplate/spec" : "/spec";
    String path = change.substring(0, change.indexOf(' ')).replace("SPEC", spec);
    String value = change.substring(change.indexOf(' ') + 1);
    int last = path.lastIndexOf('/');
    ObjectNode owner = (ObjectNode) workload.at(path.substring(0, last));
    if (value.equals("none")) {
      owner.remove(path.substring(last + 1));
    } else {
      owner.set(path.substring(last + 1), JSON.readTree(value));
    }
    return workload.toString();
  }

  private static JsonNode workload(String kind) throws Exception {
    boolean ends = kind.endsWith("Job");
    String template =
        "{'metadata':{'labels':{'app':'web'}},'spec':{%s'containers':[{'name':'web','image':'nginx','livenessProbe':{'httpGet':{'port':80}}}]}}"
            .formatted(ends ? "'restartPolicy':'Never'," : "");
    String spec =
        ends
            ? "{'template':" + template + "}"
            : "{'selector':{'matchLabels':{'app':'web'}},'template':" + template + "}";
    if (kind.equals("CronJob")) {
      spec = "{'schedule':'* * * * *','jobTemplate':{'spec':" + spec + "}}";
    }
    return JSON.readTree(
        "{'apiVersion':'%s/v1','kind':'%s','metadata':{'name':'web'},'spec':%s}"
            .formatted(ends ? "batch" : "apps", kind, spec)
            .replace('\'', '"'));
  }

  private String ours(String workload) throws Exception {
    Path file = Files.writeString(directory.resolve("workload.json"), workload);
    return ManifestReader.read(
            List.of(file), Mode.PROBES_ONLY, AgentConfiguration.DEFAULT.podRules())
        .problems()
        .stream()
        .filter(Problem::isError)
        .map(Problem::text)
        .findFirst()
        .orElse("");
  }

  private static String theirs(RealApi api, String kind, String workload) throws Exception {
    HttpClient http = api.client().getHttpClient();
    String path =
        "%s/v1/namespaces/default/%ss"
            .formatted(kind.endsWith("Job") ? "batch" : "apps", kind.toLowerCase(Locale.ROOT));
    HttpResponse<String> response =
        http.sendAsync(
                http.newHttpRequestBuilder()
                    .uri(
                        api.client().getMasterUrl()
                            + "apis/"
                            + path
                            + "?dryRun=All&fieldValidation=Warn")
                    .post("application/json", workload)
                    .build(),
                String.class)
            .get(1, TimeUnit.MINUTES);
    return response.isSuccessful()
        ? ""
        : JSON.readTree(response.body()).path("message").asText("refused");
  }
}
