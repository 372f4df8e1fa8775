package io.probelet.nodehealth.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.workload.Workload;
import io.probelet.nodehealth.workloads.WorkloadPod.State;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the pods of one namespace, and keeps each node and owner once for all of them. Used by one
 * thread.
 */
public final class WorkloadPodReader {
  /** The parts of a pod that are read. */
  public static final KeptFields FIELDS =
      KeptFields.of(
          "/metadata/deletionTimestamp",
          "/metadata/ownerReferences",
          "/metadata/labels/controller-revision-hash",
          "/spec/nodeName",
          "/status/phase",
          "/status/conditions/type",
          "/status/conditions/status",
          "/status/containerStatuses/started",
          "/status/containerStatuses/restartCount",
          "/status/containerStatuses/state");

  private static final int MAX_SHARED = 20_000;

  /** A label's value is no longer. */
  private static final int MAX_HASH = 63;

  /** WE-2: a container that waits for one of these was started, or its start failed. */
  private static final Set<String> TRIED =
      Set.of("CrashLoopBackOff", "CreateContainerError", "RunContainerError");

  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  private final Map<Object, Object> shared = new HashMap<>();

  /** Begins without any pods. */
  public WorkloadPodReader() {}

  /**
   * Reads a pod.
   *
   * @param pod as JSON, with at least {@link #FIELDS}
   */
  public WorkloadPod read(JsonNode pod) {
    String node = pod.at("/spec/nodeName").asText();
    JsonNode status = pod.path("status");
    Optional<WorkloadRevision> revision = revision(pod.path("metadata"));
    if (node.isEmpty()
        || revision.isEmpty()
        || pod.path("metadata").has("deletionTimestamp")
        || ENDED.contains(status.path("phase").asText())) {
      return WorkloadPod.NONE;
    }
    return new WorkloadPod(
        (String) once(node),
        (WorkloadRevision) once(revision.get()),
        state(status),
        isAnyRestarted(status.path("containerStatuses")));
  }

  /** WE-1: only a controller that keeps alike pods running is comparable; a Job's pods end. */
  private static Optional<WorkloadRevision> revision(JsonNode metadata) {
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        String hash = metadata.at("/labels/controller-revision-hash").asText();
        return Workload.of(
                metadata.path("namespace").asText(),
                owner.path("apiVersion").asText(),
                owner.path("kind").asText(),
                owner.path("name").asText(),
                owner.path("uid").asText())
            .filter(workload -> workload.kind() != Workload.Kind.JOB && hash.length() <= MAX_HASH)
            .map(workload -> new WorkloadRevision(workload, hash));
      }
    }
    return Optional.empty();
  }

  private static State state(JsonNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asText().equals("Ready")
          && condition.path("status").asText().equals("True")) {
        return State.READY;
      }
    }
    JsonNode containers = status.path("containerStatuses");
    boolean tried = !containers.isEmpty();
    for (JsonNode container : containers) {
      tried &= isTried(container);
    }
    return tried ? State.DOWN : State.UNTRIED;
  }

  private static boolean isTried(JsonNode container) {
    JsonNode state = container.path("state");
    if (state.has("running")) { // not started while its first startup probe has not succeeded
      return container.path("started").asBoolean(true) || isRestarted(container);
    }
    return state.has("terminated") || TRIED.contains(state.at("/waiting/reason").asText());
  }

  private static boolean isRestarted(JsonNode container) {
    return container.path("restartCount").asInt() > 0;
  }

  private static boolean isAnyRestarted(JsonNode containers) {
    for (JsonNode container : containers) {
      if (isRestarted(container)) {
        return true;
      }
    }
    return false;
  }

  private Object once(Object value) {
    Object known = shared.get(value);
    if (known != null) {
      return known;
    }
    if (shared.size() >= MAX_SHARED) {
      shared.clear();
    }
    shared.put(value, value);
    return value;
  }
}
