package io.probelet.rehearsal.simulate;

import io.probelet.document.field.Field;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import io.probelet.manifest.pod.KindlessReader;
import java.nio.file.Path;
import java.util.List;

/** Recognizes scenarios of {@code probelet simulate} by their fields. */
public final class ScenarioDocuments implements KindlessReader {
  private static final List<String> KEYS = List.of("nodes", "events", "remediators");

  /** Creates a reader. */
  public ScenarioDocuments() {}

  @Override
  public boolean recognises(Node.Mapping document) {
    return KEYS.stream().anyMatch(document.entries()::containsKey);
  }

  @Override
  public String noun() {
    return "scenario";
  }

  @Override
  public void read(Path file, int number, Node.Mapping document, Problems problems) {
    Scope scope = new Scope(problems, Severity.ERROR);
    new ScenarioReader().read(Field.ofDocument(scope, "", document));
  }
}
