package io.probelet.agent.incident;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import io.probelet.web.http.Containers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The evidence of a running agent.
 *
 * @param engine knows the containers
 * @param kernelReader reads what the kernel says of a container, after a while
 * @param nodeReader reads how long tasks of the node have waited
 * @param snapshot reads the node's conditions; set once the node is watched
 * @param workloads what a pod belongs to
 * @param deletions whether a pod is being deleted
 */
public record LiveSources(
    Containers.Engine engine,
    BiFunction<String, Duration, CompletableFuture<ContainerEvidence>> kernelReader,
    Supplier<Optional<StallTimes>> nodeReader,
    Supplier<CompletableFuture<NodeSnapshot>> snapshot,
    Function<PodRef, String> workloads,
    Predicate<PodRef> deletions)
    implements IncidentSources {
  @Override
  public CompletableFuture<ContainerEvidence> kernel(String containerId, Duration after) {
    return kernelReader.apply(containerId, after);
  }

  @Override
  public Optional<StallTimes> node() {
    return nodeReader.get();
  }

  @Override
  public CompletableFuture<List<String>> conditions() {
    return snapshot.get().thenApply(LiveSources::unhealthy);
  }

  private static List<String> unhealthy(NodeSnapshot node) {
    return node.conditions().stream()
        .filter(condition -> condition.status() == ConditionStatus.TRUE)
        .map(Condition::type)
        .toList();
  }

  @Override
  public CompletableFuture<List<ContainerSnapshot>> containers(PodRef pod) {
    return engine.snapshot(HistoryQuery.NONE, (ref, _) -> ref.equals(pod));
  }

  @Override
  public String workload(PodRef pod) {
    return workloads.apply(pod);
  }

  @Override
  public boolean deleting(PodRef pod) {
    return deletions.test(pod);
  }
}
