package io.probelet.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Position;

/** Reads objects of the API server field by field, like objects of files. */
public final class ApiObject {
  private ApiObject() {}

  /**
   * Begins to read an object without its status and managed fields. An object that is too deep or
   * too large is reported as an error, and returned as an absent field.
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
