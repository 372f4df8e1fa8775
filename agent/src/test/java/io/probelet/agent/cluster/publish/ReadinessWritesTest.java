package io.probelet.agent.cluster.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.GateState;
import io.probelet.agent.cluster.pods.PodOwner;
import io.probelet.agent.cluster.publish.ReadinessWrites.PendingWrite;
import io.probelet.kube.event.ApiEvent;
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
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written of the readiness gate, and what is not. */
class ReadinessWritesTest {
  private static final PodRef REF = new PodRef("shop", "p", "u");

  private final ReadinessWrites book = new ReadinessWrites();
  private long nanos;

  private static ClusterPod pod(GateState gate, boolean deleting) {
    return pod(REF, gate, deleting);
  }

  private static ClusterPod pod(PodRef ref, GateState gate, boolean deleting) {
    return new ClusterPod(
        "u",
        new ProbedPod(ref, RestartPolicy.ALWAYS, Duration.ofSeconds(30), List.of()),
        new PodObservation(ref, Phase.RUNNING, deleting, true, List.of(), Map.of()),
        null,
        gate,
        0,
        List.of(),
        List.of(),
        PodOwner.NONE);
  }

  private void ready(String container, boolean ready) {
    book.changed(
        new ContainerStatus(REF, container, ContainerObservation.waiting("", 0, ""), true, ready));
  }

  /** The next write where every pod may turn unready. */
  private Optional<PendingWrite> next() {
    var _ = book.readyAgain();
    for (Optional<PendingWrite> ask = book.nextAsk(nanos);
        ask.isPresent();
        ask = book.nextAsk(nanos)) {
      book.answered(ask.get().pod().ref(), true, nanos);
    }
    return book.next(nanos);
  }

  private String write() {
    return next().map(write -> write.ready() + " " + write.message()).orElse("nothing");
  }

  @Test
  @DisplayName("all containers with an extended readiness probe must be ready")
  void all() {
    book.known(pod(new GateState(true, null, List.of("a", "b")), false), nanos);
    assertThat(write()).isEqualTo("nothing");
    ready("a", true);
    assertThat(write()).as("b has not been seen").isEqualTo("nothing");
    ready("b", false);
    assertThat(write()).isEqualTo("false not ready: b");
    ready("b", true);
    assertThat(write()).isEqualTo("true ");
  }

  @Test
  @DisplayName(
      "what is written already is not written again, not even after a restart of the agent")
  void once() {
    book.known(pod(new GateState(true, true, List.of("a")), false), nanos);
    ready("a", true);
    assertThat(write()).isEqualTo("nothing");
    ready("a", false);
    book.written(next().orElseThrow());
    assertThat(write()).isEqualTo("nothing");
  }

  @Test
  @DisplayName("a gate without an extended probe is open, or its pod could never be ready")
  void noProbe() {
    book.known(pod(new GateState(true, null, List.of()), false), nanos);
    assertThat(write()).isEqualTo("true ");
  }

  @Test
  @DisplayName("the gate of a pod that is being deleted says what its probes say")
  void deleting() {
    book.known(pod(new GateState(true, true, List.of("a")), true), nanos);
    ready("a", true);
    assertThat(write()).isEqualTo("nothing");
    ready("a", false);
    assertThat(write()).isEqualTo("false not ready: a");
  }

  @Test
  @DisplayName(
      "pods without the gate, ones being deleted without probes, and gone ones are left alone")
  void others() {
    book.known(pod(new GateState(false, null, List.of()), false), nanos);
    assertThat(write()).isEqualTo("nothing");
    book.known(pod(new GateState(true, null, List.of()), true), nanos);
    assertThat(write()).isEqualTo("nothing");
    book.known(pod(new GateState(true, null, List.of()), false), nanos);
    book.gone(REF);
    assertThat(write()).isEqualTo("nothing");
  }

  @Test
  @DisplayName("a pod that flaps has ten writes, then one a second, and delays no other")
  void flapping() {
    PodRef other = new PodRef("shop", "calm", "c");
    GateState gate = new GateState(true, null, List.of("a"));
    book.known(pod(gate, false), nanos);
    book.known(pod(other, gate, false), nanos);
    ready("a", false);
    book.written(next().orElseThrow());
    ready("a", true);
    book.changed(
        new ContainerStatus(other, "a", ContainerObservation.waiting("", 0, ""), true, true));
    assertThat(next().orElseThrow().pod().ref()).as("whose turn it is").isEqualTo(other);
    book.written(next().orElseThrow());

    assertThat(flaps()).isEqualTo(9);
    assertThat(book.holdsBack()).isTrue();
    nanos += Duration.ofSeconds(3).toNanos();
    assertThat(flaps()).isEqualTo(3);
    nanos += Duration.ofHours(1).toNanos();
    assertThat(flaps()).isEqualTo(10);
    nanos += Duration.ofHours(1).toNanos();
    var _ = next();
    assertThat(book.holdsBack()).isFalse();
  }

  /** How often a pod that changes all the time is written. */
  private int flaps() {
    int writes = 0;
    for (int i = 0; i < 100; i++) {
      ready("a", i % 2 == 0);
      var write = next();
      write.ifPresent(book::written);
      writes += write.isPresent() ? 1 : 0;
    }
    return writes;
  }

  @Test
  @DisplayName("C2 the message is what the agents' admission policy takes, however many containers")
  void bounded() {
    PendingWrite write =
        new PendingWrite(
            pod(new GateState(true, null, List.of("a")), false),
            false,
            "ProbesFailed",
            "not ready: " + "container, ".repeat(1_000),
            Set.of());
    assertThat(write.message()).hasSize(ReadinessWrites.MAX_MESSAGE).endsWith("…");
    assertThat(ReadinessWrites.MAX_MESSAGE).isEqualTo(ApiEvent.MAX_MESSAGE);
  }

  @Test
  @DisplayName(
      "D-22 a pod that was ready turns unready once it may, and is asked about each second")
  void held() {
    book.known(pod(new GateState(true, true, List.of("a", "b")), false), nanos);
    ready("a", true);
    ready("b", false);
    assertThat(book.next(nanos)).as("nobody has been asked").isEmpty();
    assertThat(book.nextAsk(nanos).orElseThrow().notReady()).containsExactly("b");
    assertThat(book.nextAsk(nanos)).as("once").isEmpty();
    assertThat(book.next(nanos)).as("no answer yet").isEmpty();
    assertThat(book.holdsBack()).isTrue();
    book.answered(REF, false, nanos);
    assertThat(book.next(nanos)).isEmpty();
    nanos += Duration.ofMillis(999).toNanos();
    assertThat(book.nextAsk(nanos)).isEmpty();
    nanos += Duration.ofMillis(1).toNanos();
    assertThat(book.nextAsk(nanos)).isPresent();
    book.answered(REF, true, nanos);
    assertThat(book.readyAgain()).isEmpty();
    assertThat(book.next(nanos)).isPresent().get().extracting(PendingWrite::ready).isEqualTo(false);
  }

  @Test
  @DisplayName("D-22 a held pod that is ready again is told, once, and the next failure asks anew")
  void readyAgain() {
    book.known(pod(new GateState(true, true, List.of("a")), false), nanos);
    ready("a", false);
    assertThat(book.nextAsk(nanos)).isPresent();
    ready("a", true);
    assertThat(book.readyAgain()).as("the answer has yet to come").isEmpty();
    book.answered(REF, true, nanos);
    assertThat(book.readyAgain()).containsExactly(REF);
    assertThat(book.readyAgain()).isEmpty();
    ready("a", false);
    assertThat(book.next(nanos)).isEmpty();
    assertThat(book.nextAsk(nanos)).isPresent();
  }

  @Test
  @DisplayName("D-22 a pod that has not been ready needs no leave")
  void neverReady() {
    book.known(pod(new GateState(true, null, List.of("a")), false), nanos);
    ready("a", false);
    assertThat(book.nextAsk(nanos)).isEmpty();
    assertThat(book.next(nanos)).isPresent();
  }
}
