package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.kube.GeneratedObjects;
import io.probelet.kube.SmallHeap;
import java.io.IOException;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The most and the largest pods that the API server takes, with this node in {@code spec.nodeName}.
 * They are read in less than an agent's heap, and the honest pods among them are probed.
 */
class PodSizesTest {
  private static final int HEAP = 48;

  private static String honest(int number) {
    return ApiPods.running("honest-" + number).replace("\"shop\"", "\"honest\"");
  }

  private static String check(int count, IntFunction<String> pod)
      throws IOException, InterruptedException {
    try (GeneratedObjects server = new GeneratedObjects(count, pod)) {
      SmallHeap.Result result = SmallHeap.run(HEAP, PodFeedProcess.class, server.url());
      return result.output();
    }
  }

  private static String waiting(int number) {
    return ("{\"metadata\":{\"namespace\":\"shop\",\"name\":\"p%d\",\"uid\":\"%d\"},"
            + "\"spec\":{\"nodeName\":\"here\",\"containers\":[{\"name\":\"web\"}]},"
            + "\"status\":{\"phase\":\"Pending\"}}")
        .formatted(number, number);
  }

  private static String args(int count, String arg) {
    return "\"args\":[\"%s\"%s]".formatted(arg, (",\"" + arg + "\"").repeat(count - 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_400_000, 9})
  @DisplayName("18 pods of 1.4 MB that never run")
  void large(int letters) throws IOException, InterruptedException {
    String args = args(letters > 1_000_000 ? 1 : 1_400_000 / (letters + 3), "x".repeat(letters));
    String output =
        check(
            20,
            number ->
                number % 10 == 0
                    ? honest(number)
                    : ApiPods.pod("p" + number, "", args).replace("Running", "Pending"));
    assertThat(output).contains("probed=2 problems=18\n");
    assertThat(output).contains("the pod is not probed: it has more than 20000 values");
  }

  @Test
  @DisplayName("1,500 pods with an annotation of 31 KiB, 1,400 of them Failed")
  void failed() throws IOException, InterruptedException {
    String output =
        check(
            1_505,
            number -> {
              if (number >= 1_500) {
                return honest(number);
              }
              String path = "/" + number + "x".repeat(31_000);
              String probes =
                  "\"probelet.io/probes\": \"{web: {liveness: {httpGet: {port: 80, path: '%s'}}}}\""
                      .formatted(path);
              String pod = ApiPods.pod("p" + number, probes, "");
              return number < 1_400 ? pod.replace("Running", "Failed") : pod;
            });
    assertThat(output).containsPattern("probed=1[0-4][0-9] problems=0\n");
  }

  @Test
  @DisplayName("40,000 pods of one namespace that wait")
  void many() throws IOException, InterruptedException {
    String output =
        check(40_000, number -> number % 8_000 == 7_999 ? honest(number) : waiting(number));
    assertThat(output).contains("probed=2005 problems=0\n");
  }
}
