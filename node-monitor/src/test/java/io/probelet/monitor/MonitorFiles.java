package io.probelet.monitor;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.MonitorReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Monitor files for tests; single quotes stand for double ones. */
public final class MonitorFiles {
  private MonitorFiles() {}

  /** The examples of node-problem-detector's documentation, rewritten. */
  public static String example(String name) {
    try (InputStream in = MonitorFiles.class.getResourceAsStream("/monitor/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** The result of reading a file, with all problems. */
  public record Reading(Optional<Monitor> monitor, List<Problem> problems) {}

  public static Reading reading(String json) {
    return reading(Document.json(Source.of(json.replace('\'', '"'))).root());
  }

  public static Reading reading(Node root) {
    Problems problems = Problems.ofObject("monitor");
    Optional<Monitor> monitor = MonitorReader.read(root, problems);
    return new Reading(monitor, problems.all());
  }

  public static Monitor read(String json) {
    Reading reading = reading(json);
    return reading
        .monitor()
        .orElseThrow(() -> new AssertionError("refused: " + reading.problems()));
  }

  public static Monitor.Log log(String rules) {
    return (Monitor.Log)
        read(
            """
            {'plugin': 'kmsg', 'source': 'kernel', 'conditions': [
              {'type': 'Sick', 'reason': 'Well', 'message': 'is well'}], 'rules': [%s]}\
            """
                .formatted(rules));
  }

  /** A permanent rule for the condition Sick. */
  public static String permanent(String reason, String pattern) {
    return "{'type': 'permanent', 'condition': 'Sick', 'reason': '%s', 'pattern': '%s'}"
        .formatted(reason, pattern);
  }
}
