package io.probelet.nodehealth.readiness.controller;

import java.util.List;

/**
 * State of node admission.
 *
 * @param problems why rules are not carried out as written, each in one line; empty if all are
 * @param rules one entry for each rule
 */
public record AdmissionReport(List<String> problems, List<RuleState> rules) {
  /** Keeps unmodifiable copies. */
  public AdmissionReport {
    problems = List.copyOf(problems);
    rules = List.copyOf(rules);
  }

  /** How a rule is treated. */
  public enum Treatment {
    /** It is carried out. */
    ACTIVE("active"),
    /** It only reports. */
    DRY_RUN("dry-run"),
    /** It is invalid, so its taints stay as they are. */
    INVALID("invalid"),
    /** It contradicts another rule with the same taint. */
    CONFLICTING("conflicting"),
    /** It is beyond the limit of rules, and not carried out. */
    BEYOND_LIMIT("beyond-limit");

    private final String label;

    Treatment(String label) {
      this.label = label;
    }

    /** {@return its name in metrics} */
    public String label() {
      return label;
    }
  }

  /**
   * State of one rule.
   *
   * @param held the nodes with its taint
   * @param released its other nodes
   * @param omitted the nodes that its status leaves out
   */
  public record RuleState(String name, Treatment treatment, int held, int released, int omitted) {}
}
