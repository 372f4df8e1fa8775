package io.probelet.web.incident;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.probe.PodRef;
import io.probelet.web.api.JsonDefaults;
import io.probelet.web.api.TerminationView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One incident of a container with all that was known at that moment. It is kept on the node and
 * served as JSON. Times are RFC 3339 in UTC.
 *
 * @param time when it happened
 * @param kind what happened
 * @param namespace of the pod
 * @param pod its name
 * @param uid its uid
 * @param container its name
 * @param containerId the runtime's id of the instance; empty if none was created
 * @param workload what the pod belongs to, such as {@code Deployment/web}; its own name otherwise
 * @param image the image of the instance; empty if unknown
 * @param imageBefore the image of the instance before; null if it is the same or unknown
 * @param restartCount instances before this one
 * @param startedAt when the instance started; null if it did not
 * @param probe the probe that failed; null if none did
 * @param end how the instance ended; null if it did not, or that is not known yet
 * @param kernel what the kernel counted while the probe failed; null if nothing could be read
 * @param node the node at that moment
 * @param waiting why it waits, in the kubelet's one word; empty if it does not
 * @param deleting whether the pod was being deleted
 * @param log its last lines of output, oldest first; empty unless the administrator allows them
 */
@JsonInclude(Include.NON_NULL)
@JsonPropertyOrder({
  "time",
  "kind",
  "namespace",
  "pod",
  "uid",
  "container",
  "containerId",
  "workload",
  "image",
  "imageBefore",
  "restartCount",
  "startedAt",
  "probe",
  "end",
  "kernel",
  "node",
  "waiting",
  "deleting",
  "log"
})
public record Incident(
    String time,
    IncidentKind kind,
    String namespace,
    String pod,
    String uid,
    String container,
    String containerId,
    String workload,
    String image,
    @Nullable String imageBefore,
    int restartCount,
    @Nullable String startedAt,
    @Nullable ProbeFacts probe,
    @Nullable TerminationView end,
    @Nullable KernelFacts kernel,
    IncidentNode node,
    String waiting,
    boolean deleting,
    List<String> log) {
  /** Takes what another agent leaves out for empty. */
  public Incident {
    time = JsonDefaults.text(time);
    kind = kind == null ? IncidentKind.OTHER : kind;
    namespace = JsonDefaults.text(namespace);
    pod = JsonDefaults.text(pod);
    uid = JsonDefaults.text(uid);
    container = JsonDefaults.text(container);
    containerId = JsonDefaults.text(containerId);
    workload = JsonDefaults.text(workload);
    image = JsonDefaults.text(image);
    waiting = JsonDefaults.text(waiting);
    node = node == null ? IncidentNode.UNKNOWN : node;
    log = JsonDefaults.list(log);
  }

  /** {@return its pod} */
  public PodRef ref() {
    return new PodRef(namespace, pod, uid);
  }

  /**
   * {@return the same incident, completed by how the instance ended}
   *
   * @param ended how
   */
  public Incident with(TerminationView ended) {
    return with(probe, ended, log);
  }

  /**
   * {@return the same incident with other lines of output}
   *
   * @param lines oldest first
   */
  public Incident withLog(List<String> lines) {
    return with(probe, end, lines);
  }

  /** {@return the same incident without its log and the texts of its probe and its end} */
  public Incident withoutTexts() {
    return with(
        probe == null ? null : probe.withoutTexts(),
        end == null ? null : end.withMessage(""),
        List.of());
  }

  private Incident with(
      @Nullable ProbeFacts facts, @Nullable TerminationView ended, List<String> lines) {
    return new Incident(
        time,
        kind,
        namespace,
        pod,
        uid,
        container,
        containerId,
        workload,
        image,
        imageBefore,
        restartCount,
        startedAt,
        facts,
        ended,
        kernel,
        node,
        waiting,
        deleting,
        lines);
  }
}
