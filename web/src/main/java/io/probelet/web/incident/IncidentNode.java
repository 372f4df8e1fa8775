package io.probelet.web.incident;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import io.probelet.web.api.JsonDefaults;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The node at the time of an incident.
 *
 * @param cpuWaitPercent how much of the failing time a task of the node waited for a CPU; null if
 *     unknown
 * @param memoryWaitPercent how much of it one waited for memory; null if unknown
 * @param ioWaitPercent how much of it one waited for a disk; null if unknown
 * @param conditions conditions of the node that were not healthy, such as {@code DiskPressure}, at
 *     most {@link #MAX_CONDITIONS}
 * @param failing other containers of the node with a failing probe at that moment
 * @param containers containers of the node that were probed
 */
@JsonInclude(Include.NON_NULL)
@JsonPropertyOrder({
  "cpuWaitPercent",
  "memoryWaitPercent",
  "ioWaitPercent",
  "conditions",
  "failing",
  "containers"
})
public record IncidentNode(
    @Nullable Integer cpuWaitPercent,
    @Nullable Integer memoryWaitPercent,
    @Nullable Integer ioWaitPercent,
    List<String> conditions,
    int failing,
    int containers) {
  /** Most conditions that are named. */
  public static final int MAX_CONDITIONS = 10;

  /** Nothing is known. */
  public static final IncidentNode UNKNOWN = new IncidentNode(null, null, null, List.of(), 0, 0);

  /** Takes what another agent leaves out for empty. */
  public IncidentNode {
    conditions = JsonDefaults.<String>list(conditions).stream().limit(MAX_CONDITIONS).toList();
  }

  /**
   * {@return the node between two readings}
   *
   * @param first the earlier reading; null if there was none
   * @param last the later one; null if there was none
   * @param window the time between them
   * @param conditions the conditions that are not healthy
   * @param failing other containers with a failing probe
   * @param containers containers that are probed
   */
  public static IncidentNode between(
      @Nullable StallTimes first,
      @Nullable StallTimes last,
      Duration window,
      List<String> conditions,
      int failing,
      int containers) {
    long millis = window.toMillis();
    if (first == null || last == null || millis <= 0) {
      return new IncidentNode(null, null, null, conditions, failing, containers);
    }
    StallTimes waited = last.since(first);
    return new IncidentNode(
        KernelFacts.share(waited.cpu(), millis),
        KernelFacts.share(waited.memory(), millis),
        KernelFacts.share(waited.io(), millis),
        conditions,
        failing,
        containers);
  }
}
