package io.probelet.nodehealth.workloads.controller;

import io.probelet.nodehealth.workloads.Finding;
import java.util.List;
import java.util.Map;

/**
 * State of the evidence by workloads.
 *
 * @param problems why nodes are not judged as they should be, each in one line; empty if all are
 * @param nodes the number of nodes by what was found; nodes without a decision are not included
 * @param pods the number of compared pods
 * @param held the number of nodes that are held back because too many fail at once
 */
public record EvidenceReport(
    List<String> problems, Map<Finding, Integer> nodes, int pods, int held) {
  /** Without any nodes. */
  public static final EvidenceReport NONE = new EvidenceReport(List.of(), Map.of(), 0, 0);

  /** Keeps unmodifiable copies. */
  public EvidenceReport {
    problems = List.copyOf(problems);
    nodes = Map.copyOf(nodes);
  }
}
