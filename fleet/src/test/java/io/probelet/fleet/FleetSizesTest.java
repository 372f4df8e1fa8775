package io.probelet.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.SmallHeap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clusters whose objects are as large as etcd takes, and as many as a namespace without quota
 * holds. What is read is shown, what is not is named, and nothing is called well that was not read.
 */
@Timeout(600)
class FleetSizesTest {
  private static final int LARGE = 20;

  /** The text of a field of 1.4 MB. */
  private static String value(String shape) {
    return switch (shape) {
      case "letters" -> "[\"a\"" + ",\"a\"".repeat(340_000) + "]";
      case "text" -> "\"" + "x".repeat(1_400_000) + "\"";
      case "fields" -> {
        StringBuilder fields = new StringBuilder("{\"a\":1");
        for (int i = 0; i < 100_000; i++) {
          fields.append(",\"f").append(i).append("\":1");
        }
        yield fields.append('}').toString();
      }
      default -> throw new IllegalArgumentException(shape);
    };
  }

  /** Every other object is honest. */
  private static IntFunction<String> mixed(String honest, String hostile, String shape) {
    String value = value(shape);
    return i ->
        i % 2 == 0
            ? honest.replace("NAME", "honest-" + i)
            : hostile.replace("NAME", "hostile-" + i).replace("VALUE", value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"letters", "text", "fields"})
  void showsTheRestAndNamesWhatIsTooLarge(String shape) throws Exception {
    String meta = "{\"metadata\":{\"name\":\"NAME\",\"uid\":\"NAME\"";
    Map<String, List<String>> objects =
        Map.of(
            LargeCluster.EVENTS,
            List.of(
                meta + "},\"reason\":\"R\"}",
                meta + "},\"reason\":\"R\",\"involvedObject\":VALUE,\"message\":VALUE}"),
            LargeCluster.LEASES,
            List.of(meta + "},\"spec\":{}}", meta + "},\"spec\":{\"holderIdentity\":VALUE}}"),
            LargeCluster.CHECKS,
            List.of(
                meta + "},\"spec\":{}}",
                meta + "},\"spec\":{\"a\":VALUE,\"b\":VALUE,\"c\":VALUE}}"),
            LargeCluster.POLICIES,
            List.of(
                meta + "},\"spec\":{}}",
                meta + "},\"spec\":{\"a\":VALUE,\"b\":VALUE,\"c\":VALUE}}"),
            LargeCluster.CLUSTER_HEALTH,
            List.of(meta + "},\"status\":{}}", meta + "},\"status\":{\"conditions\":VALUE}}"),
            LargeCluster.DRAINS,
            List.of(meta + "},\"status\":{}}", meta + "},\"status\":{\"x\":VALUE}}"));
    try (LargeCluster cluster = new LargeCluster()) {
      objects.forEach((collection, pair) ->
          cluster.put(collection, LARGE, mixed(pair.getFirst(), pair.getLast(), shape)));
      cluster.put(
          LargeCluster.NODES,
          LARGE,
          mixed(
              LargeCluster.node(0).replace("\"n0\"", "\"NAME\""),
              meta + ",\"labels\":VALUE}}",
              shape));
      SmallHeap.Result result = SmallHeap.run(96, FleetProcess.class, cluster.start().url());

      assertThat(result.output())
          .contains("read=true verdict=NotWell nodes=10 checks=10 remediations=10 events=20")
          .contains("Nodes=TooLarge")
          .contains("NodeHealthChecks=TooLarge")
          .contains("RemediationPolicies=TooLarge")
          .contains("DrainRemediations=TooLarge")
          .contains("Events of nodes=TooLarge")
          .contains("Leases of nodes=TooLarge")
          .containsPattern("Nodes +skipped: hostile-1 has more than 5000 values or 600000 char");
      assertThat(result.exit()).isZero();
    }
  }

  /** Attack: 80 Events of 1.3 MB ended the program. */
  @Test
  void neverCallsWellWhatWasNotRead() throws Exception {
    String large =
        "{\"metadata\":{\"name\":\"NAME\"},\"status\":{\"conditions\":%s}}"
            .formatted(value("text"));
    try (LargeCluster cluster = new LargeCluster()) {
      cluster.put(
          LargeCluster.NODES,
          80,
          i -> i < 79 ? LargeCluster.node(i) : large.replace("NAME", "unseen"));
      SmallHeap.Result result = SmallHeap.run(64, FleetProcess.class, cluster.start().url());

      assertThat(result.output())
          .contains("Unknown, as not everything could be read")
          .contains("verdict=Unknown nodes=79")
          .contains("skipped: unseen has more than");
    }
  }

  /** Attack: one namespace holds more than is kept of a kind, and hides the others. */
  @Test
  void fullNamespaceAndFullListAreNamed() throws Exception {
    try (LargeCluster cluster = new LargeCluster()) {
      cluster.put(
          LargeCluster.DRAINS,
          12_000,
          i ->
              "{\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s\",\"uid\":\"%d\"},\"status\":{\"message\":\"%s\"}}"
                  .formatted(
                      i < 11_999 ? "a-hostile" : "honest",
                      i < 11_999 ? "r" + i : "n0",
                      i,
                      "x".repeat(3_000)));
      cluster.put(LargeCluster.NODES, 1, LargeCluster::node);
      cluster.put(
          LargeCluster.EVENTS,
          6_000,
          i ->
              "{\"metadata\":{\"namespace\":\"default\",\"name\":\"e%d\"},\"message\":\"%s\"}"
                  .formatted(i, "x".repeat(3_000)));
      SmallHeap.Result result = SmallHeap.run(128, FleetProcess.class, cluster.start().url());

      assertThat(result.output())
          .contains("DrainRemediations=TooMany")
          .contains("Events of nodes=TooMany")
          .contains("per namespace in a-hostile")
          .contains("Remediations shown=TooMany", "Events shown=TooMany")
          .containsPattern("n0 +Waiting");
    }
  }

  /** Objects just below the limit of one: their sum has a limit as well. */
  @Test
  void boundsTheSumOfLargeNodeHealthChecks() throws Exception {
    String values = "[\"a\"" + ",\"a\"".repeat(90_000) + "]";
    try (LargeCluster cluster = new LargeCluster()) {
      cluster.put(
          LargeCluster.CHECKS,
          200,
          i -> "{\"metadata\":{\"name\":\"c%d\"},\"spec\":{\"x\":%s}}".formatted(i, values));
      SmallHeap.Result result = SmallHeap.run(512, FleetProcess.class, cluster.start().url());

      assertThat(result.output()).contains("NodeHealthChecks=TooMany").contains("checks=36 ");
    }
  }
}
