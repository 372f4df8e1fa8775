package io.probelet.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Position;

/** Objects as the API server gives them: read field by field as those of files are. */
public final class ApiObject {
  private ApiObject() {}

  /**
   * Begins to read an object, but for its status and for who manages its fields. One that is too
   * deep or too large to be read is complained about, and answered as an absent field.
   */
  public static Field read(JsonNode object, Problems problems) {
    Document document = Document.ofObject(object);
    document.problems().forEach(each -> problems.error(each.at(), "", each.message()));
    Scope scope = new Scope(problems, Severity.WARNING);
    Node root = document.root();
    return root == null
        ? Field.absent(scope, "", "", Position.UNKNOWN)
        : Field.ofDocument(scope, "", root);
  }
}
