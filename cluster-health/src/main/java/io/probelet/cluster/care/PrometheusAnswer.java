package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.checks.result.CheckResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The result of a Prometheus query for {@code healthcheck:up} (CH-56). Gardener's recording rules
 * produce one sample 1 if everything is healthy, else a sample 0 per problem.
 */
final class PrometheusAnswer {
  private static final int LONGEST = 500;
  private static final String CUT = "...";

  private PrometheusAnswer() {}

  private record Sample(String metric, String value) {
    static Sample of(JsonNode entry) {
      Map<String, String> labels = new TreeMap<>();
      entry
          .path("metric")
          .properties()
          .forEach(each -> labels.put(each.getKey(), each.getValue().asText()));
      String name = labels.remove("__name__");
      String selected =
          labels.entrySet().stream()
              .map(each -> each.getKey() + "=\"" + each.getValue() + "\"")
              .collect(Collectors.joining(", ", "{", "}"));
      return new Sample(
          (name == null ? "" : name) + (labels.isEmpty() ? "" : selected),
          entry.path("value").path(1).asText());
    }

    @Override
    public String toString() {
      return metric + " => " + value;
    }
  }

  /** {@return the result in a response} */
  static CheckResult check(JsonNode answer) {
    if (!answer.path("status").asText().equals("success")) {
      return CheckResult.notExecuted("query failed: " + cut(answer.path("error").asText()));
    }
    List<String> warnings = new ArrayList<>();
    answer.path("warnings").forEach(warning -> warnings.add(warning.asText()));
    if (!warnings.isEmpty()) {
      return CheckResult.notExecuted(
          "query returned warnings: " + cut(String.join(", ", warnings)));
    }
    JsonNode data = answer.path("data");
    if (!data.path("resultType").asText().equals("vector")) {
      return CheckResult.notExecuted(
          "query returned an unexpected result type: " + cut(data.path("resultType").asText()));
    }
    List<Sample> samples = new ArrayList<>();
    data.path("result").forEach(entry -> samples.add(Sample.of(entry)));
    return check(samples);
  }

  private static CheckResult check(List<Sample> samples) {
    if (samples.isEmpty()) {
      return CheckResult.unhealthy("health check recording rules are not deployed or running yet");
    }
    String all = samples.stream().map(Sample::toString).sorted().collect(Collectors.joining(", "));
    if (samples.stream().allMatch(sample -> sample.value().equals("0"))) {
      return CheckResult.unhealthy(cut(all));
    }
    return samples.size() == 1 && samples.getFirst().value().equals("1")
        ? CheckResult.healthy()
        : CheckResult.notExecuted("query returned inconsistent sample values: " + cut(all));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - CUT.length()) + CUT;
  }
}
