package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** A JSON patch (RFC 6902): all of it is carried out, or nothing if a test fails. */
final class JsonChanges {
  private final ArrayNode patch = JsonNodeFactory.instance.arrayNode();

  JsonChanges test(String pointer, String value) {
    patch.addObject().put("op", "test").put("path", pointer).put("value", value);
    return this;
  }

  JsonChanges add(String pointer, JsonNode value) {
    patch.addObject().put("op", "add").put("path", pointer).set("value", value);
    return this;
  }

  JsonChanges replace(String pointer, JsonNode value) {
    patch.addObject().put("op", "replace").put("path", pointer).set("value", value);
    return this;
  }

  JsonChanges remove(String pointer) {
    patch.addObject().put("op", "remove").put("path", pointer);
    return this;
  }

  ArrayNode patch() {
    return patch;
  }
}
