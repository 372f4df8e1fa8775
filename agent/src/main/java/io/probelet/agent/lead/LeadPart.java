package io.probelet.agent.lead;

import static java.util.stream.Collectors.joining;

import io.probelet.agent.care.CarePart;
import io.probelet.agent.node.NodeLead;
import io.probelet.agent.part.LeadContext;
import io.probelet.agent.part.Part;
import io.probelet.agent.remediation.RemediationPart;
import java.util.Arrays;

/** What there is to lead. Each part has a lease, and so a leader, of its own. */
public enum LeadPart {
  /** Evaluates NodeHealthChecks, and answers the webhook for them. */
  REMEDIATION("remediation"),
  /** Judges the cluster, as ClusterHealth says. */
  CLUSTER_CARE("cluster-care"),
  /** Taints watched nodes, and tells of those whose agent is gone. */
  NODE_MONITOR("node-monitor");

  private final String label;

  LeadPart(String label) {
    this.label = label;
  }

  /**
   * Reads a part's name.
   *
   * @throws IllegalArgumentException if it is none; the message says which there are
   */
  static LeadPart parse(String text) {
    return Arrays.stream(values())
        .filter(part -> part.label.equals(text))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "\"%s\" is no part; there are %s"
                    .formatted(
                        text,
                        Arrays.stream(values()).map(part -> part.label).collect(joining(", ")))));
  }

  /** Begins to stand for leader. */
  Part start(LeadContext context, LeadSettings settings) {
    return switch (this) {
      case REMEDIATION -> RemediationPart.start(context, settings.remediation());
      case CLUSTER_CARE -> new CarePart(context);
      case NODE_MONITOR -> new NodeLead(context);
    };
  }

  @Override
  public String toString() {
    return label;
  }
}
