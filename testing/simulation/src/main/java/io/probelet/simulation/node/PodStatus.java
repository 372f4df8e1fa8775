package io.probelet.simulation.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.WireTime;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.simulation.api.ObjectFields;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The status that a kubelet reports of a pod. */
final class PodStatus {
  private final KubeletPod pod;
  private final JsonNode current;
  private final Instant now;
  private final long world;
  private final ObjectNode status = JsonNodeFactory.instance.objectNode();

  private PodStatus(KubeletPod pod, JsonNode current, Instant now, long world) {
    this.pod = pod;
    this.current = current;
    this.now = now;
    this.world = world;
  }

  /**
   * {@return the status}
   *
   * @param current the object as the kubelet knows it
   * @param now by the node's wall clock
   * @param world the same in the world's time
   */
  static ObjectNode of(KubeletPod pod, JsonNode current, Instant now, long world) {
    return new PodStatus(pod, current, now, world).build();
  }

  private ObjectNode build() {
    ArrayNode conditions = status.putArray("conditions");
    String evicted = pod.evicted();
    boolean over = evicted != null || isOver();
    String phase = evicted != null ? "Failed" : phase(over);
    boolean ready = !over && containersReady();
    condition(conditions, "PodScheduled", true, "");
    condition(conditions, "Initialized", true, "");
    condition(conditions, "ContainersReady", ready, over ? "PodFailed" : "ContainersNotReady");
    condition(
        conditions,
        "Ready",
        ready && gatesOpen(),
        ready ? "ReadinessGatesNotReady" : "ContainersNotReady");
    status.put("phase", phase).put("hostIP", "192.0.2.1").put("podIP", pod.scripted().ip());
    status.putArray("podIPs").addObject().put("ip", pod.scripted().ip());
    status.put("startTime", WireTime.seconds(pod.since())).put("qosClass", "Burstable");
    if (evicted != null) {
      status.put("reason", "Evicted").put("message", evicted);
    }
    ArrayNode regular = status.putArray("containerStatuses");
    ArrayNode init = JsonNodeFactory.instance.arrayNode();
    for (ScriptedContainer each : pod.scripted().containers()) {
      (each.spec().role() == ContainerRole.REGULAR ? regular : init).add(container(each));
    }
    if (!init.isEmpty()) {
      status.set("initContainerStatuses", init);
    }
    return status;
  }

  private boolean containersReady() {
    return pod.scripted().containers().stream()
        .allMatch(each -> {
          ContainerInstance newest = each.newest();
          return each.spec().role() == ContainerRole.INIT || (newest != null && isReady(newest));
        });
  }

  /** Probes of the spec are the kubelet's own; here they find the truth at once. */
  private boolean isStarted(ContainerInstance instance) {
    ProbeSpec startup = ofSpec(instance, ProbeKind.STARTUP);
    return instance.running()
        && (startup == null
            || !instance.failedDuring(
                instance.start(), world, startup.handler(), startup.timeout()));
  }

  private boolean isReady(ContainerInstance instance) {
    ProbeSpec readiness = ofSpec(instance, ProbeKind.READINESS);
    return isStarted(instance)
        && (readiness == null
            || instance.at(world).satisfies(readiness.handler(), readiness.timeout()));
  }

  private @Nullable ProbeSpec ofSpec(ContainerInstance instance, ProbeKind kind) {
    String field = kind == ProbeKind.STARTUP ? "startupProbe" : "readinessProbe";
    String name = instance.container().spec().name();
    for (JsonNode container : current.at("/spec/containers")) {
      if (container.path("name").asText().equals(name) && container.has(field)) {
        return instance.container().spec().probes().get(kind);
      }
    }
    return null;
  }

  /** {@return whether a pod has probes of the kubelet's own that decide about its status} */
  static boolean isProbed(JsonNode pod) {
    for (JsonNode container : pod.at("/spec/containers")) {
      if (container.has("startupProbe") || container.has("readinessProbe")) {
        return true;
      }
    }
    return false;
  }

  /** Ready only if all gates of the pod are True: conditions that other programs set. */
  private boolean gatesOpen() {
    for (JsonNode gate : current.at("/spec/readinessGates")) {
      String type = gate.path("conditionType").asText();
      if (ObjectFields.condition(current, type).filter("True"::equals).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private boolean isOver() {
    return regular().stream()
        .allMatch(each -> {
          ContainerInstance newest = each.newest();
          return newest != null
              && !newest.running()
              && (pod.stopping()
                  || !each.spec()
                      .restartsAfter(newest.exitCode(), pod.scripted().spec().restartPolicy()));
        });
  }

  private String phase(boolean over) {
    if (over) {
      return regular().stream()
              .allMatch(each -> Objects.requireNonNull(each.newest()).exitCode() == 0)
          ? "Succeeded"
          : "Failed";
    }
    return regular().stream().anyMatch(each -> each.newest() != null) ? "Running" : "Pending";
  }

  private List<ScriptedContainer> regular() {
    return pod.scripted().containers().stream()
        .filter(each -> each.spec().role() == ContainerRole.REGULAR)
        .toList();
  }

  private ObjectNode container(ScriptedContainer container) {
    ObjectNode seen = JsonNodeFactory.instance.objectNode();
    ContainerInstance newest = container.newest();
    String name = container.spec().name();
    seen.put("name", name).put("image", "registry.example/app:1").put("imageID", "sha256:1");
    boolean started = newest != null && isStarted(newest);
    seen.put("ready", newest != null && isReady(newest)).put("started", started);
    seen.put("restartCount", newest == null ? 0 : newest.attempt());
    ObjectNode state = seen.putObject("state");
    ObjectNode last = seen.putObject("lastState");
    if (newest == null) {
      state.putObject("waiting").put("reason", "ContainerCreating");
      return seen;
    }
    seen.put("containerID", "containerd://" + newest.id());
    if (newest.running()) {
      state.putObject("running").put("startedAt", WireTime.seconds(newest.startedAt()));
      ended(last, before(container, newest));
    } else if (pod.waits(name)) {
      state.putObject("waiting").put("reason", "CrashLoopBackOff");
      ended(last, newest);
    } else {
      ended(state, newest);
    }
    return seen;
  }

  private static @Nullable ContainerInstance before(
      ScriptedContainer container, ContainerInstance newest) {
    List<ContainerInstance> all = container.instances();
    int at = all.indexOf(newest);
    return at > 0 ? all.get(at - 1) : null;
  }

  private static void ended(ObjectNode into, @Nullable ContainerInstance instance) {
    if (instance == null) {
      return;
    }
    Instant finished = instance.finishedAt();
    into.putObject("terminated")
        .put("containerID", "containerd://" + instance.id())
        .put("exitCode", instance.exitCode())
        .put("reason", instance.reason())
        .put("startedAt", WireTime.seconds(instance.startedAt()))
        .put("finishedAt", WireTime.seconds(finished == null ? instance.startedAt() : finished));
  }

  private void condition(ArrayNode into, String type, boolean is, String reason) {
    String status = is ? "True" : "False";
    ObjectNode condition = into.addObject().put("type", type).put("status", status);
    if (!is) {
      condition.put("reason", reason);
    }
    for (JsonNode known : current.at("/status/conditions")) {
      if (known.path("type").asText().equals(type)
          && known.path("status").asText().equals(status)) {
        condition.set("lastTransitionTime", known.path("lastTransitionTime"));
        return;
      }
    }
    condition.put("lastTransitionTime", WireTime.seconds(now));
  }
}
