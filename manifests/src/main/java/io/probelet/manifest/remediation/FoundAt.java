package io.probelet.manifest.remediation;

import io.probelet.document.field.Finding;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Entry;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import io.probelet.document.tree.Position;
import java.util.Optional;

/** Says at which line of a file something is that node-health complains about. */
public final class FoundAt {
  private FoundAt() {}

  /**
   * Adds a finding to the problems of its document.
   *
   * @param finding what is wrong, and with which field
   * @param within path of the object it is about, empty for the whole document
   * @param root the object
   * @param problems where it goes
   */
  public static void report(Finding finding, String within, Node root, Problems problems) {
    String path = within.isEmpty() ? finding.field() : within + "." + finding.field();
    Position at = find(root, finding);
    if (finding.fatal()) {
      problems.error(at, path, finding.message());
    } else {
      problems.warning(at, path, finding.message());
    }
  }

  /** Goes as far towards the field as there is anything. */
  private static Position find(Node root, Finding finding) {
    Node node = root;
    Position at = root.at();
    for (String step : finding.path()) {
      Optional<Entry> next = child(node, step);
      if (next.isEmpty()) {
        break;
      }
      node = next.get().value();
      at = finding.fatal() ? node.at() : next.get().nameAt();
    }
    return at;
  }

  private static Optional<Entry> child(Node node, String step) {
    boolean bracketed = step.startsWith("[");
    String key = bracketed ? step.substring(1, step.length() - 1) : step;
    return switch (node) {
      case Mapping mapping -> Optional.ofNullable(mapping.entries().get(key));
      case Sequence sequence when bracketed -> {
        Node item = sequence.items().get(Integer.parseInt(key));
        yield Optional.of(new Entry(item.at(), item));
      }
      case Sequence _, Scalar _ -> Optional.empty();
    };
  }
}
