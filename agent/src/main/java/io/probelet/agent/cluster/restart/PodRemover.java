package io.probelet.agent.cluster.restart;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.config.RestartSettings.Removal;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerRuntimeException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Has the API server take away the pod of a container that no runtime can be asked to stop. Its
 * controller makes another; a disruption budget that does not allow it is asked again and again.
 */
public final class PodRemover implements ContainerStopper {
  private final ApiServer api;
  private final Supplier<Removal> removal;
  private final KnownPods pods;

  /**
   * Creates a remover.
   *
   * @param removal how they are taken away; asked for each pod
   */
  public PodRemover(ApiServer api, Supplier<Removal> removal, KnownPods pods) {
    this.api = api;
    this.removal = removal;
    this.pods = pods;
  }

  @Override
  public void stop(RestartDecision decision)
      throws ContainerRuntimeException, InterruptedException {
    PodRef ref = decision.subject().pod();
    Optional<ClusterPod> pod = pods.find(ref);
    if (pod.isEmpty() || pod.get().reported().deleting()) {
      return; // gone, or going
    }
    String path = "/api/v1/namespaces/" + ref.namespace() + "/pods/" + ref.name();
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put(
        "gracePeriodSeconds", Math.max(1, decision.grace().plusNanos(999_999_999).toSeconds()));
    options.putObject("preconditions").put("uid", pod.get().uid());
    ApiResult answer =
        switch (removal.get()) {
          case DELETE -> api.delete(path, deleteOptions(options));
          case EVICT -> api.create(path + "/eviction", eviction(ref, options));
        };
    if (Thread.interrupted()) {
      throw new InterruptedException(answer.summary());
    }
    // Not found or in conflict: it is gone, or another pod has its name.
    if (!(answer instanceof Done) && !answer.isNotFound() && !answer.isConflict()) {
      throw new ContainerRuntimeException(
          "cannot remove pod %s: %s".formatted(ref, answer.summary()));
    }
  }

  private static ObjectNode deleteOptions(ObjectNode options) {
    return options.put("apiVersion", "v1").put("kind", "DeleteOptions");
  }

  private static ObjectNode eviction(PodRef ref, ObjectNode options) {
    ObjectNode eviction = JsonNodeFactory.instance.objectNode();
    eviction.put("apiVersion", "policy/v1").put("kind", "Eviction");
    eviction.putObject("metadata").put("namespace", ref.namespace()).put("name", ref.name());
    eviction.set("deleteOptions", options);
    return eviction;
  }
}
