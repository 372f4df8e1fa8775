package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.GateState;
import io.probelet.agent.cluster.pods.PodOwner;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How fast pods of one owner are taken away, in virtual time. */
class EvictionBackOffTest {
  private final EvictionBackOff backOff = new EvictionBackOff();
  private Duration now = Duration.ofDays(1);
  private int pods;

  private ClusterPod pod(String namespace, String owner) {
    String uid = "u" + pods++;
    PodRef ref = new PodRef(namespace, "p-" + uid, uid);
    ClusterPod pod =
        new ClusterPod(
            uid,
            new ProbedPod(ref, RestartPolicy.ALWAYS, Duration.ZERO, List.of()),
            new PodObservation(ref, Phase.RUNNING, false, true, List.of(), Map.of()),
            null,
            new GateState(false, null, List.of()),
            0,
            List.of(),
            List.of(),
            new PodOwner(owner, Optional.empty()));
    backOff.known(pod, now.toNanos());
    return pod;
  }

  private boolean evicts(ClusterPod pod) {
    return backOff.waits(pod, now.toNanos()).isEmpty();
  }

  /** A pod fails this long after it came, and goes on; returns how long until it may go. */
  private long evict(String owner, Duration failsAfter) {
    ClusterPod pod = pod("shop", owner);
    now = now.plus(failsAfter);
    Duration failed = now;
    while (!evicts(pod)) {
      now = now.plusSeconds(1);
    }
    backOff.gone(pod);
    return now.minus(failed).toSeconds();
  }

  @Test
  @DisplayName("D-3: the first goes at once, the next after 10 s, 20 s … 300 s")
  void doubles() {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      waits.add(evict("rs", Duration.ofSeconds(17)));
    }
    assertThat(waits).containsExactly(0L, 10L, 20L, 40L, 80L, 160L, 300L, 300L, 300L);
    assertThat(evict("another", Duration.ofSeconds(17))).isZero();
  }

  @Test
  @DisplayName("a pod that ran for ten minutes resets its back-off")
  void resets() {
    evict("rs", Duration.ofSeconds(17));
    evict("rs", Duration.ofSeconds(17));
    assertThat(evict("rs", Duration.ofMinutes(10))).isZero();
    assertThat(evict("rs", Duration.ofSeconds(17))).isEqualTo(10);
  }

  @Test
  @DisplayName("replicas that fail together go together; only what comes after them waits")
  void replicas() {
    List<ClusterPod> replicas = List.of(pod("shop", "rs"), pod("shop", "rs"), pod("shop", "rs"));
    assertThat(replicas).allMatch(this::evicts);
    ClusterPod successor = pod("shop", "rs");
    ClusterPod other = pod("shop", "rs");
    assertThat(evicts(successor)).isFalse();
    now = now.plusSeconds(10);
    assertThat(evicts(successor)).isTrue();
    assertThat(evicts(other)).as("has only just failed").isFalse();
    now = now.plusSeconds(10);
    assertThat(evicts(other)).as("is of the same generation").isTrue();
    assertThat(evict("rs", Duration.ZERO)).isEqualTo(20);
  }

  @Test
  @DisplayName("one that was let go may be asked for again at once: the budget may have refused")
  void again() {
    ClusterPod pod = pod("shop", "rs");
    assertThat(evicts(pod)).isTrue();
    assertThat(evicts(pod)).isTrue();
  }

  @Test
  @DisplayName("a pod of another owner, or without owner, causes no wait")
  void strangers() {
    evict("rs", Duration.ZERO);
    assertThat(evicts(pod("other", "rs"))).isTrue();
    assertThat(evicts(pod("shop", ""))).isTrue();
    assertThat(evicts(pod("shop", ""))).isTrue();
  }

  @Test
  @DisplayName("owners are bounded; the one of longest ago is forgotten")
  void bounded() {
    for (int i = 0; i <= EvictionBackOff.MAX_OWNERS; i++) {
      evict("rs" + i, Duration.ZERO);
    }
    assertThat(evicts(pod("shop", "rs0"))).isTrue();
    assertThat(evicts(pod("shop", "rs2"))).isFalse();
  }
}
