package io.probelet.kube.object;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.ShortText;
import java.io.IOException;
import java.util.Optional;

/** An object as it was read within its limits. */
public sealed interface BoundedObject {
  /** What was to be kept of it. */
  record Whole(ObjectNode object) implements BoundedObject {}

  /** It is larger than its limits. */
  record TooLarge(ObjectNode identity, ObjectLimits limit) implements BoundedObject {
    /** {@return which object, and why it was skipped, in a line} */
    public String text() {
      String namespace = text(identity.at("/metadata/namespace"));
      String name = text(identity.at("/metadata/name"));
      return (namespace.isEmpty() ? name : namespace + "/" + name) + " has " + limit.text();
    }

    private static String text(JsonNode node) {
      return ShortText.of(node.asText().replaceAll("\\p{Cntrl}", "?"), MAX_NAME);
    }
  }

  /** The longest name of an object. */
  int MAX_NAME = 253;

  /**
   * Reads an object from its beginning to its end, however large it is.
   *
   * @param object at the object's beginning; afterwards at its end
   * @param limits how large what is kept may be
   * @throws IOException if it is no object of JSON
   */
  static BoundedObject read(JsonParser object, KeptFields fields, ObjectLimits limits)
      throws IOException {
    return new ObjectTree(limits).read(object, fields);
  }

  /**
   * Reads a value that need not be an object.
   *
   * @param json at the value's beginning; afterwards at its end
   * @param limits how large it may be
   * @return the value; empty if it is larger
   * @throws IOException if it is not JSON
   */
  static Optional<JsonNode> readAny(JsonParser json, ObjectLimits limits) throws IOException {
    return Optional.ofNullable(new ObjectTree(limits).any(json));
  }
}
