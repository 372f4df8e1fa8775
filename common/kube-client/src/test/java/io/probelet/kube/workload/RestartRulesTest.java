package io.probelet.kube.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.workload.RestartRules.Answer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pods may restart, given a lease. */
class RestartRulesTest {
  private static RestartCounter counter(String replicas, String a, String b) {
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    ObjectNode annotations = lease.withObject("/metadata/annotations");
    if (!replicas.isEmpty()) {
      annotations.put(RestartCounter.REPLICAS, replicas);
    }
    annotations.put(RestartCounter.NODE + "a", a);
    annotations.put(RestartCounter.NODE + "b", b);
    return RestartCounter.read(lease);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 34, 1",
    "1, 34, 1",
    "2, 34, 1",
    "3, 34, 1",
    "6, 34, 2",
    "100, 29, 29",
    "10, 99, 9",
    "2147483647, 99, 2126008810"
  })
  @DisplayName("D-8 a share of the replicas, rounded down, and at least one")
  void most(int replicas, int percent, int most) {
    assertThat(RestartRules.most(replicas, percent)).isEqualTo(most);
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', '', ENTER", // the first may in any case
    "'', mine, '', IN",
    "'', x, '', REPLICAS_UNKNOWN",
    "'', '', x, REPLICAS_UNKNOWN",
    "'-3', '', x, REPLICAS_UNKNOWN",
    "1234567890123, '', x, REPLICAS_UNKNOWN",
    "5, '', x, HOLD",
    "6, '', x, ENTER",
    "6, y, x, HOLD",
    "6, '', 'x,x,,x', ENTER", // named twice counts once
    "6, 'y,mine', x, IN",
    "9, y, x, ENTER"
  })
  @DisplayName("D-8 a pod may restart while at most a third restart, including itself")
  void decide(String replicas, String here, String there, Answer answer) {
    assertThat(RestartRules.decide(counter(replicas, here, there), "a", "mine", 34))
        .isEqualTo(answer);
  }

  @Test
  @DisplayName("D-9 32 pods of one node count, and no more can be added")
  void manyOfOneNode() {
    String many =
        IntStream.range(0, 5000).mapToObj(pod -> "p" + pod).collect(Collectors.joining(","));
    RestartCounter counter = counter("100000", many, "");
    assertThat(counter.count()).isEqualTo(32);
    assertThat(RestartRules.decide(counter, "a", "mine", 34)).isEqualTo(Answer.HOLD);
    assertThat(RestartRules.decide(counter, "b", "mine", 34)).isEqualTo(Answer.ENTER);
  }

  @Test
  @DisplayName("D-8 a lease that names another workload is ignored")
  void workload() {
    Workload workload =
        Workload.of("shop", "apps/v1", "ReplicaSet", "web", "00000000-0000-4000-8000-000000000001")
            .orElseThrow();
    ObjectNode lease =
        RestartCounter.created(workload, WorkloadBudget.RESTARTS, "probelet-system", "a", "p");
    assertThat(RestartCounter.read(lease).workload()).contains(workload);
    assertThat(RestartCounter.read(lease).on("a")).isEqualTo(List.of("p"));
    lease
        .withObject("/metadata/annotations")
        .put(RestartCounter.WORKLOAD, "ReplicaSet/shop/web/00000000-0000-4000-8000-000000000002");
    assertThat(RestartCounter.read(lease).workload()).isEmpty();
  }
}
