package io.probelet.agent.cluster.pods;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.manifest.tree.Document;
import io.probelet.agent.manifest.tree.Node.Mapping;
import io.probelet.agent.manifest.tree.Source;
import io.probelet.agent.policy.Enforcement;
import org.jspecify.annotations.Nullable;

/** Pods that the API server has told of. */
public final class KnownPodsFixture {
  private KnownPodsFixture() {}

  /** Adds one of the namespace "shop", which says of itself whether it is restarted. */
  public static void add(KnownPods pods, String name, @Nullable Enforcement own) {
    String annotation = own == null ? "" : "\"%s\": \"%s\"".formatted(Enforcement.KEY, own.word());
    Mapping root = (Mapping) Document.json(Source.of(ApiPods.pod(name, annotation, ""))).root();
    pods.put(new ClusterPodReader(AgentConfiguration.DEFAULT.podRules()).read(root).orElseThrow());
  }
}
