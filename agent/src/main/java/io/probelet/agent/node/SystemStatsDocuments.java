package io.probelet.agent.node;

import io.probelet.document.field.Problems;
import io.probelet.document.tree.Node;
import io.probelet.manifest.pod.KindlessReader;
import java.nio.file.Path;

/** Recognises system-stats files of node-problem-detector by the parts of a machine in them. */
public final class SystemStatsDocuments implements KindlessReader {
  /** Creates a reader. */
  public SystemStatsDocuments() {}

  @Override
  public boolean recognises(Node.Mapping document) {
    return document.entries().keySet().stream().anyMatch(SystemStatsDocuments::isKey);
  }

  private static boolean isKey(String name) {
    return SystemStatsReader.INTERVAL.equalsIgnoreCase(name)
        || SystemStatsReader.SECTIONS.stream().anyMatch(name::equalsIgnoreCase);
  }

  @Override
  public String noun() {
    return "system statistics file";
  }

  @Override
  public void read(Path file, int number, Node.Mapping document, Problems problems) {
    new SystemStatsReader().read(file, document, problems);
  }
}
