package io.probelet.system.hostile;

import static io.probelet.system.hostile.HostileAgent.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.probe.PodRef;
import io.probelet.runtime.cri.NeedsContainerd;
import io.probelet.system.ContainerdNode;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A pod that says it is the mirror of another pod of the node. */
@ExtendWith(NeedsContainerd.class)
class StolenIdentityTest {
  private static final String HASH = "0123456789abcdef0123456789abcdef";

  @TempDir Path home;

  @Test
  @DisplayName("it is never probed into the other, runs nothing there and kills nothing there")
  void claimed() throws Exception {
    PodRef victim = new PodRef("shop", "till", "0c5c2f6e-0000-4000-8000-000000000001");
    PodRef fixed = new PodRef("kube-system", "etcd-here", HASH);
    try (ContainerdNode node = new ContainerdNode();
        HostileAgent shared = new HostileAgent(home, "unix://" + node.containerd.socket())) {
      String till = node.kubelet.container(node.kubelet.pod(victim), "web", "sleep", "100000");
      String etcd = node.kubelet.container(node.kubelet.pod(fixed), "web", "sleep", "100000");
      String attack = HostilePods.shell("touch /owned; false");
      shared.api.put(pod("first", victim.uid(), attack));
      shared.api.put(
          HostilePods.pod(victim, victim.uid(), "", HostilePods.shell("test ! -e /owned"), till));
      shared.api.put(pod("second", victim.uid(), attack));
      shared.api.put(pod("third", HASH, attack));
      shared.api.put(
          HostilePods.pod(
              fixed,
              "mirror-uid",
              HostilePods.mirrorOf(HASH),
              HostilePods.shell("test ! -e /owned"),
              etcd));

      patiently().until(() -> successes(shared, "shop") > 5);
      patiently().until(() -> successes(shared, "kube-system") > 5);
      shared.api.delete("/api/v1/namespaces/tenant/pods/second");
      int before = successes(shared, "shop");
      patiently().until(() -> successes(shared, "shop") > before + 3);

      assertThat(container(shared, "shop").path("id").asText()).isEqualTo(till);
      assertThat(container(shared, "kube-system").path("id").asText()).isEqualTo(etcd);
      assertThat(shared.agent.containers())
          .filteredOn(each -> each.path("namespace").asText().equals("tenant"))
          .hasSize(2)
          .allSatisfy(each -> assertThat(each.path("id").asText()).isEmpty());
      assertThat(shared.api.writes("/events")).isEmpty();
      assertThat(shared.agent.lines()).noneMatch(line -> line.contains("killing"));
    }
  }

  private static String pod(String name, String claimedUid, String container) {
    PodRef ref = new PodRef("tenant", name, name);
    return HostilePods.pod(ref, name, HostilePods.mirrorOf(claimedUid), container, "");
  }

  private static JsonNode container(HostileAgent shared, String namespace) throws Exception {
    for (JsonNode each : shared.agent.containers()) {
      if (each.path("namespace").asText().equals(namespace)) {
        return each;
      }
    }
    throw new AssertionError("no container of " + namespace);
  }

  /** How many times in a row the one probe of a namespace has succeeded. */
  private static int successes(HostileAgent shared, String namespace) throws Exception {
    JsonNode probe = container(shared, namespace).at("/probes/0");
    return probe.path("result").asText().equals("Success") ? probe.path("consecutive").asInt() : 0;
  }
}
