package io.probelet.fleet.advise;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * What is proposed for a container of a workload.
 *
 * @param role regular or sidecar
 * @param probes how much data each probe has
 * @param proposals most important first; empty if the settings fit
 * @param notes what could not be judged, and why
 * @param patchable whether all proposals with a value can be written to the pod template
 */
@JsonPropertyOrder({
  "subject",
  "role",
  "pods",
  "nodes",
  "restarts",
  "otherPods",
  "probes",
  "proposals",
  "notes",
  "patchable"
})
public record WorkloadAdvice(
    AdviceSubject subject,
    String role,
    int pods,
    int nodes,
    int restarts,
    int otherPods,
    List<Data> probes,
    List<Proposal> proposals,
    List<String> notes,
    boolean patchable) {
  /** Keeps unmodifiable copies. */
  public WorkloadAdvice {
    probes = List.copyOf(probes);
    proposals = List.copyOf(proposals);
    notes = List.copyOf(notes);
  }

  /**
   * How much a probe has seen.
   *
   * @param probe the probe's field, such as livenessProbe
   * @param outcomes how many; older ones count less
   * @param seconds between the first and the last of them
   * @param p50Ms median latency of successes in milliseconds
   * @param p99Ms latency that 99 percent of successes did not exceed, in milliseconds
   * @param maxMs longest latency of a success in milliseconds, exact to 5 percent
   * @param starts observed start-up times
   * @param enough whether settings can be proposed
   */
  @JsonPropertyOrder({
    "probe",
    "outcomes",
    "failures",
    "seconds",
    "p50Ms",
    "p99Ms",
    "maxMs",
    "starts",
    "enough"
  })
  public record Data(
      String probe,
      long outcomes,
      long failures,
      long seconds,
      double p50Ms,
      double p99Ms,
      double maxMs,
      int starts,
      boolean enough) {}
}
