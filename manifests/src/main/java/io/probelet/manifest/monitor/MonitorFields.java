package io.probelet.manifest.monitor;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.NodeJson;
import io.probelet.manifest.remediation.FoundAt;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.MonitorReader;
import java.util.Optional;

/** Reads one monitor of a file and says where in the file something is wrong with it (B-12). */
public final class MonitorFields {
  private MonitorFields() {}

  /**
   * Reads an object if it is a monitor.
   *
   * @param object a whole document
   * @param problems where problems go
   * @return whether it is one, good or bad
   */
  public static boolean read(Fields object, Problems problems) {
    Node root = object.self().value();
    Optional<JsonNode> json = root == null ? Optional.empty() : NodeJson.of(root);
    if (root == null || json.filter(MonitorReader::isMonitor).isEmpty()) {
      return false;
    }
    monitor(root, problems);
    return true;
  }

  /**
   * Reads a monitor.
   *
   * @param root a whole document
   * @param problems where problems go
   * @return the monitor; empty if it is refused
   */
  public static Optional<Monitor> monitor(Node root, Problems problems) {
    Optional<JsonNode> json = NodeJson.of(root);
    if (json.isEmpty()) {
      problems.error(root.at(), "", "holds a number that JSON has none for");
      return Optional.empty();
    }
    MonitorReader.Reading reading = MonitorReader.read(json.get());
    reading.findings().forEach(finding -> FoundAt.report(finding, "", root, problems));
    return reading.monitor();
  }
}
