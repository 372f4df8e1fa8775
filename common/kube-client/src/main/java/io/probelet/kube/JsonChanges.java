package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * Builds a JSON patch (RFC 6902): all of it is carried out, or nothing if a test fails. Each method
 * adds an operation and returns this.
 */
public final class JsonChanges {
  private final ArrayNode patch = JsonNodeFactory.instance.arrayNode();

  /** Creates an empty patch. */
  public JsonChanges() {}

  /**
   * Rejects the patch with a conflict if the object has changed: the API server refuses a replaced
   * version, while a failed test is refused like an invalid object.
   *
   * @param resourceVersion the version that was read
   */
  public JsonChanges version(String resourceVersion) {
    return replace("/metadata/resourceVersion", TextNode.valueOf(resourceVersion));
  }

  /** Requires a value. */
  public JsonChanges test(String pointer, String value) {
    patch.addObject().put("op", "test").put("path", pointer).put("value", value);
    return this;
  }

  /** Adds a field or an element of a list, or replaces a field. */
  public JsonChanges add(String pointer, JsonNode value) {
    patch.addObject().put("op", "add").put("path", pointer).set("value", value);
    return this;
  }

  /** Replaces a value. */
  public JsonChanges replace(String pointer, JsonNode value) {
    patch.addObject().put("op", "replace").put("path", pointer).set("value", value);
    return this;
  }

  /** Removes a value that exists. */
  public JsonChanges remove(String pointer) {
    patch.addObject().put("op", "remove").put("path", pointer);
    return this;
  }

  /** {@return the pointer of an annotation} */
  public static String annotation(String name) {
    return "/metadata/annotations/" + name.replace("~", "~0").replace("/", "~1");
  }

  /** {@return the patch} */
  public ArrayNode patch() {
    return patch;
  }
}
