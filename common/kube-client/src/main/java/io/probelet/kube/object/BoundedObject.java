package io.probelet.kube.object;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.ShortText;
import java.io.IOException;
import java.util.Optional;

/** The result of reading an object within limits. */
public sealed interface BoundedObject {
  /** The kept part of the object. */
  record Whole(ObjectNode object) implements BoundedObject {}

  /** The object exceeds the limits. */
  record TooLarge(ObjectNode identity, ObjectLimits limit) implements BoundedObject {
    /** {@return the object and why it was skipped, in one line} */
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
   * Reads a whole object, however large it is.
   *
   * @param object at the object's beginning; afterwards at its end
   * @param limits the limits of the kept part
   * @throws IOException if it is not a JSON object
   */
  static BoundedObject read(JsonParser object, KeptFields fields, ObjectLimits limits)
      throws IOException {
    return new ObjectTree(limits).read(object, fields);
  }

  /**
   * Reads a value of any type.
   *
   * @param json at the value's beginning; afterwards at its end
   * @param limits the limits of the value
   * @return the value; empty if it exceeds the limits
   * @throws IOException if it is not JSON
   */
  static Optional<JsonNode> readAny(JsonParser json, ObjectLimits limits) throws IOException {
    return Optional.ofNullable(new ObjectTree(limits).any(json));
  }
}
