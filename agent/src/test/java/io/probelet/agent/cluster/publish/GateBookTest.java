package io.probelet.agent.cluster.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.GateState;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written of the readiness gate, and what is not. */
class GateBookTest {
  private static final PodRef REF = new PodRef("shop", "p", "u");

  private final GateBook book = new GateBook();

  private static ClusterPod pod(GateState gate, boolean deleting) {
    return new ClusterPod(
        "u",
        new ProbedPod(REF, RestartPolicy.ALWAYS, Duration.ofSeconds(30), List.of()),
        new PodObservation(REF, Phase.RUNNING, deleting, true, List.of(), Map.of()),
        null,
        gate,
        List.of());
  }

  private void ready(String container, boolean ready) {
    book.changed(
        new ContainerStatus(REF, container, ContainerObservation.waiting("", 0, ""), true, ready));
  }

  private String wish() {
    return book.next().map(wish -> wish.ready() + " " + wish.message()).orElse("nothing");
  }

  @Test
  @DisplayName("all containers with an extended readiness probe must be ready")
  void all() {
    book.known(pod(new GateState(true, null, List.of("a", "b")), false));
    assertThat(wish()).isEqualTo("nothing");
    ready("a", true);
    assertThat(wish()).as("b has not been seen").isEqualTo("nothing");
    ready("b", false);
    assertThat(wish()).isEqualTo("false not ready: b");
    ready("b", true);
    assertThat(wish()).isEqualTo("true ");
  }

  @Test
  @DisplayName(
      "what is written already is not written again, not even after a restart of the agent")
  void once() {
    book.known(pod(new GateState(true, true, List.of("a")), false));
    ready("a", true);
    assertThat(wish()).isEqualTo("nothing");
    ready("a", false);
    book.written(book.next().orElseThrow());
    assertThat(wish()).isEqualTo("nothing");
  }

  @Test
  @DisplayName("a gate without an extended probe is open, or its pod could never be ready")
  void noProbe() {
    book.known(pod(new GateState(true, null, List.of()), false));
    assertThat(wish()).isEqualTo("true ");
  }

  @Test
  @DisplayName("pods without the gate, pods being deleted and pods that are gone are left alone")
  void others() {
    book.known(pod(new GateState(false, null, List.of()), false));
    assertThat(wish()).isEqualTo("nothing");
    book.known(pod(new GateState(true, null, List.of()), true));
    assertThat(wish()).isEqualTo("nothing");
    book.known(pod(new GateState(true, null, List.of()), false));
    book.gone(REF);
    assertThat(wish()).isEqualTo("nothing");
  }
}
