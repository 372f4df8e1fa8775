package io.probelet.agent.cluster.pods;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.health.ShortText;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.runtime.Termination;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a pod's status as an observation. The kubelet's started and ready fields count for probes
 * of the spec; the kubelet does not know probes by annotation. One reader reads one pod.
 */
final class PodStatusReader {
  /** Characters that are kept of a pod's messages; a kubelet keeps so many bytes, too. */
  static final int MAX_MESSAGES = 12 * 1024;

  private final Set<String> startups;
  private final GateState gate;
  private int room = MAX_MESSAGES;

  /** Creates a reader; {@code startups} are containers whose startup probe is by annotation. */
  PodStatusReader(Set<String> startups, GateState gate) {
    this.startups = startups;
    this.gate = gate;
  }

  PodObservation read(PodRef ref, Fields pod, Fields metadata) {
    Fields status = pod.field("status").objectOrEmpty();
    if (status == null) {
      return new PodObservation(ref, Phase.PENDING, false, false, List.of(), Map.of());
    }
    Map<String, ContainerObservation> containers = new HashMap<>();
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (Field item : status.field(list).items()) {
        Fields container = item.object();
        String name = container == null ? "" : container.field("name").text("");
        if (container != null && !name.isEmpty()) {
          containers.put(name, container(name, container));
        }
      }
    }
    return new PodObservation(
        ref,
        phase(status.field("phase").text("")),
        metadata.field("deletionTimestamp").isPresent(),
        isReady(status.field("conditions")),
        ips(status),
        containers);
  }

  private static Phase phase(String word) {
    return switch (word) {
      case "Succeeded" -> Phase.SUCCEEDED;
      case "Failed" -> Phase.FAILED;
      case "Running" -> Phase.RUNNING;
      default -> Phase.PENDING;
    };
  }

  private static boolean isReady(Field conditions) {
    for (Field item : conditions.items()) {
      Fields condition = item.object();
      if (condition != null && condition.field("type").text("").equals("Ready")) {
        return condition.field("status").text("").equals("True");
      }
    }
    return false;
  }

  private static List<String> ips(Fields status) {
    List<String> ips = new ArrayList<>();
    for (Field item : status.field("podIPs").items()) {
      Fields each = item.object();
      String ip = each == null ? "" : each.field("ip").text("");
      if (!ip.isEmpty()) {
        ips.add(ip);
      }
    }
    String primary = status.field("podIP").text("");
    if (ips.isEmpty() && !primary.isEmpty()) {
      ips.add(primary);
    }
    return ips;
  }

  private ContainerObservation container(String name, Fields status) {
    ContainerObservation seen = stateOf(name, status);
    return seen.with(seen.details().from(status.field("image").text("")));
  }

  private ContainerObservation stateOf(String name, Fields status) {
    String id = idOf(status.field("containerID").text(""));
    int restarts = status.field("restartCount").int32(0);
    boolean ours = startups.contains(name);
    // W-8: our own startup probe says whether it has started, the kubelet knows nothing of it
    boolean started = !ours && status.field("started").bool(false);
    boolean gated = gate.declared() && Boolean.TRUE.equals(gate.status());
    // W-9: where ours has not succeeded, the kubelet may call it ready too early
    boolean ready = (!ours || gated) && status.field("ready").bool(false);
    Termination before = termination(status.field("lastState"));
    Fields state = status.field("state").objectOrEmpty();
    Fields running = state == null ? null : state.field("running").object();
    Instant since = running == null ? null : instant(running.field("startedAt"));
    if (running != null && since != null && !id.isEmpty()) {
      return new ContainerObservation(id, State.RUNNING, since, 0, restarts, "", started, ready)
          .with(ContainerDetails.ended(before));
    }
    Fields ended = state == null ? null : state.field("terminated").object();
    if (ended != null) {
      String endedId = idOf(ended.field("containerID").text(""));
      return new ContainerObservation(
              endedId.isEmpty() ? id : endedId,
              State.TERMINATED,
              instant(ended.field("startedAt")),
              ended.field("exitCode").int32(0),
              restarts,
              reason(ended),
              false,
              false)
          .with(ContainerDetails.ended(termination(status.field("state"))));
    }
    Fields waiting = state == null ? null : state.field("waiting").object();
    ContainerDetails details = ContainerDetails.ended(before);
    return waiting == null
        ? ContainerObservation.waiting(id, restarts, "").with(details)
        : ContainerObservation.waiting(id, restarts, reason(waiting))
            .with(details.saying(message(waiting)));
  }

  private @Nullable Termination termination(Field state) {
    Fields present = state.objectOrEmpty();
    Fields ended = present == null ? null : present.field("terminated").object();
    return ended == null
        ? null
        : new Termination(
            ended.field("exitCode").int32(0),
            ended.field("signal").int32(0),
            reason(ended),
            message(ended),
            instant(ended.field("finishedAt")));
  }

  private static String reason(Fields state) {
    return ShortText.of(state.field("reason").text(""), Termination.MAX_REASON);
  }

  /** What a container wrote to its termination log, or the kubelet's words. */
  private String message(Fields state) {
    String message = state.field("message").text("");
    String kept = ShortText.beginning(message, Math.min(room, Termination.MAX_MESSAGE));
    room -= kept.length();
    return kept;
  }

  /** The runtime's own id, without the runtime's name before it. */
  private static String idOf(String withScheme) {
    int scheme = withScheme.indexOf("://");
    return scheme < 0 ? withScheme : withScheme.substring(scheme + "://".length());
  }

  private static @Nullable Instant instant(Field field) {
    try {
      String text = field.text();
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
