package io.probelet.web.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * An event of a container, a pod or the agent, as {@code GET /api/v1/events} shows it.
 *
 * @param time when it happened first, RFC 3339 in UTC
 * @param last when it happened last; the same as {@code time} where it happened once
 * @param count how often it happened, at least 1
 * @param namespace the pod's namespace; empty for an event of the agent
 * @param pod the pod's name; empty for an event of the agent
 * @param container the container's name; empty for an event of the whole pod
 * @param probe startup, readiness or liveness; empty for an event of no probe
 * @param reason one word for programs
 * @param message a sentence for people: the newest one
 */
@JsonPropertyOrder({
  "time",
  "last",
  "count",
  "namespace",
  "pod",
  "container",
  "probe",
  "reason",
  "message"
})
public record RecentEvent(
    String time,
    String last,
    long count,
    String namespace,
    String pod,
    String container,
    String probe,
    String reason,
    String message) {
  /** Takes what another agent leaves out for empty. */
  public RecentEvent {
    time = JsonDefaults.text(time);
    last = JsonDefaults.text(last);
    count = Math.max(1, count);
    namespace = JsonDefaults.text(namespace);
    pod = JsonDefaults.text(pod);
    container = JsonDefaults.text(container);
    probe = JsonDefaults.text(probe);
    reason = JsonDefaults.text(reason);
    message = JsonDefaults.text(message);
  }

  /** {@return what it happened to: {@code namespace/pod/container probe}, or {@code agent}} */
  @JsonIgnore
  public String object() {
    if (pod.isEmpty()) {
      return "agent";
    }
    return namespace
        + "/"
        + pod
        + (container.isEmpty() ? "" : "/" + container)
        + (probe.isEmpty() ? "" : " " + probe);
  }
}
