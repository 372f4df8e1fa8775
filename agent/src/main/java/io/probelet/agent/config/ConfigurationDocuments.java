package io.probelet.agent.config;

import io.probelet.document.field.Problems;
import io.probelet.document.tree.Node;
import io.probelet.manifest.pod.KindlessReader;
import java.nio.file.Path;
import java.util.List;

/** Recognises configurations of an agent by their sections. */
public final class ConfigurationDocuments implements KindlessReader {
  private static final List<String> SECTIONS =
      List.of(
          "probes",
          "runtime",
          "enforcement",
          "policy",
          "guard",
          "workloadGuard",
          "throttleGuard",
          "readinessBudget",
          "nodeMonitor",
          "incidents",
          "evidence",
          "orders",
          "http",
          "metrics");

  /** Creates a reader. */
  public ConfigurationDocuments() {}

  @Override
  public boolean recognises(Node.Mapping document) {
    return SECTIONS.stream().anyMatch(document.entries()::containsKey);
  }

  @Override
  public String noun() {
    return "agent configuration";
  }

  @Override
  public void read(Path file, int number, Node.Mapping document, Problems problems) {
    if (number > 1) {
      problems.error(document.at(), "", ConfigurationFile.SECOND);
    }
    AgentConfiguration read = ConfigurationFile.read(document, problems);
    HoldingTypes.warnOfUnset(document, read.node().monitors(), problems);
  }
}
