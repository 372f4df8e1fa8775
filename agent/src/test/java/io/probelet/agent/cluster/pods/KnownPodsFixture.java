package io.probelet.agent.cluster.pods;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Source;
import io.probelet.kube.workload.Workload;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pods that the API server has told of. */
public final class KnownPodsFixture {
  private KnownPodsFixture() {}

  /** Adds one of the namespace "shop", of a policy and a controller. */
  public static void owned(KnownPods pods, String name, RestartPolicy policy, String owner) {
    ClusterPod pod = read(name, "");
    ProbedPod probed = pod.probed();
    ProbedPod withPolicy =
        new ProbedPod(probed.ref(), policy, probed.terminationGracePeriod(), probed.containers());
    pods.put(
        new ClusterPod(
            pod.uid(),
            withPolicy,
            pod.reported(),
            null,
            pod.gate(),
            0,
            List.of(),
            List.of(),
            new PodOwner(owner, Workload.of("shop", "apps/v1", "ReplicaSet", "web", owner))));
  }

  /** Adds one of the namespace "shop", which says of itself whether it is restarted. */
  public static void add(KnownPods pods, String name, @Nullable Enforcement own) {
    String annotation = own == null ? "" : "\"%s\": \"%s\"".formatted(Enforcement.KEY, own.word());
    pods.put(read(name, annotation));
  }

  private static ClusterPod read(String name, String annotation) {
    Mapping root = (Mapping) Document.json(Source.of(ApiPods.pod(name, annotation, ""))).root();
    return new ClusterPodReader(AgentConfiguration.DEFAULT.podRules()).read(root).orElseThrow();
  }
}
