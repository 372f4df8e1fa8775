package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pod is found by what, where pods claim the uids of others. */
class KnownPodsTest {
  private final KnownPods known = new KnownPods();

  /** A pod with a container of the same name; {@code runtimeUid} is what its annotation says. */
  private static ClusterPod pod(String namespace, String apiUid, String runtimeUid) {
    PodRef ref = new PodRef(namespace, "web", runtimeUid);
    return new ClusterPod(
        apiUid,
        new ProbedPod(ref, RestartPolicy.ALWAYS, Duration.ZERO, List.of()),
        new PodObservation(
            ref,
            Phase.RUNNING,
            false,
            false,
            List.of(),
            Map.of("c", ContainerObservation.running("c-" + namespace, Instant.EPOCH, 0))),
        null,
        new GateState(false, null, List.of()),
        0,
        List.of(),
        List.of(),
        PodOwner.NONE);
  }

  @Test
  @DisplayName("a pod is found by namespace, name and uid, never by another's uid")
  void byRef() {
    ClusterPod victim = pod("shop", "u", "u");
    ClusterPod hostile = pod("tenant", "h", "u");
    known.put(victim);
    assertThat(known.put(hostile)).as("whom it replaced").isNull();
    assertThat(known.find(victim.ref())).contains(victim);
    assertThat(known.find(hostile.ref())).contains(hostile);
    assertThat(known.remove(hostile)).isTrue();
    assertThat(known.find(victim.ref())).contains(victim);
  }

  @Test
  @DisplayName("a recreated mirror pod stays if the old one's end arrives late")
  void recreatedMirrorPod() {
    ClusterPod old = pod("kube-system", "mirror-1", "hash");
    ClusterPod anew = pod("kube-system", "mirror-2", "hash");
    known.put(old);
    assertThat(known.put(anew)).isEqualTo(old);
    assertThat(known.remove(old)).isFalse();
    assertThat(known.find(old.ref())).contains(anew);
    assertThat(known.remove(anew)).isTrue();
    assertThat(known.find(old.ref())).isEmpty();
  }

  @ParameterizedTest(name = "uid {0}, container \"{1}\": {2}")
  @CsvSource({
    "u,    c-shop,        shop", // the API server gave this uid
    "u,    c-tenant,      shop",
    "u,    '',            shop",
    "hash, c-kube-system, kube-system",
    "hash, c-tenant,      tenant", // its own container is in its status: the kubelet says so
    "hash, '',            nobody",
    "hash, c-unknown,     nobody",
    "lone, c-lone,        lone",
    "lone, '',            lone",
    "none, c-shop,        nobody",
  })
  @DisplayName("a cgroup belongs to no pod that only claims its uid")
  void byCgroup(String uid, String container, String expected) {
    known.put(pod("shop", "u", "u"));
    known.put(pod("kube-system", "mirror-1", "hash"));
    known.put(pod("tenant", "h", "hash"));
    known.put(pod("claims", "h2", "u"));
    known.put(pod("lone", "l", "lone-mirror"));
    known.put(pod("lone", "l", "lone"));
    assertThat(known.ofCgroup(uid, container).map(pod -> pod.ref().namespace()).orElse("nobody"))
        .isEqualTo(expected);
  }
}
