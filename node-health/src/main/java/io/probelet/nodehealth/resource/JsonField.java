package io.probelet.nodehealth.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A value in a JSON tree that may be absent, and the means to complain about it. Reading one of the
 * wrong type complains and answers as if it were absent.
 */
final class JsonField {
  private final List<String> path;
  private final @Nullable JsonNode value;
  private final List<Finding> findings;

  private JsonField(List<String> path, @Nullable JsonNode value, List<Finding> findings) {
    this.path = path;
    this.value = value == null || value.isNull() || value.isMissingNode() ? null : value;
    this.findings = findings;
  }

  static JsonField root(JsonNode value, List<Finding> findings) {
    return new JsonField(List.of(), value, findings);
  }

  JsonField at(String name) {
    return new JsonField(
        Finding.child(path, name), value == null ? null : value.get(name), findings);
  }

  /** A field whose name is data, such as an annotation's. */
  JsonField keyed(String key) {
    return new JsonField(
        Finding.child(path, "[" + key + "]"), value == null ? null : value.get(key), findings);
  }

  boolean isPresent() {
    return value != null;
  }

  @Nullable JsonNode value() {
    return value;
  }

  boolean isEmpty() {
    return value == null || (value.isContainerNode() && value.isEmpty());
  }

  /** Whether it is absent or an object; complains otherwise. */
  boolean isObject() {
    if (value != null && !value.isObject()) {
      invalid("must be an object");
      return false;
    }
    return true;
  }

  List<String> names() {
    List<String> names = new ArrayList<>();
    if (value != null && isObject()) {
      value.fieldNames().forEachRemaining(names::add);
    }
    return names;
  }

  List<JsonField> items() {
    List<JsonField> items = new ArrayList<>();
    if (value != null && !value.isArray()) {
      invalid("must be a list");
    } else if (value != null) {
      for (JsonNode item : value) {
        items.add(new JsonField(Finding.child(path, "[" + items.size() + "]"), item, findings));
      }
    }
    return items;
  }

  @Nullable String text() {
    if (value == null) {
      return null;
    }
    if (!value.isTextual()) {
      invalid("must be a string");
      return null;
    }
    return value.textValue();
  }

  /** A text that must be there and say something. */
  @Nullable String requiredText(String rule) {
    String text = text();
    if (value == null || (text != null && text.isEmpty())) {
      required(rule);
      return null;
    }
    return text;
  }

  List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (JsonField item : items()) {
      String text = item.text();
      if (text != null) {
        texts.add(text);
      } else if (!item.isPresent()) {
        item.invalid("must be a string");
      }
    }
    return texts;
  }

  void rejectUnknown(Set<String> known) {
    for (String name : names()) {
      if (!known.contains(name)) {
        // The API server drops such a field with a warning, so existing resources may have had one.
        findings.add(new Finding(Finding.child(path, name), false, "unknown field"));
      }
    }
  }

  void required(String rule) {
    error("Required value: " + rule);
  }

  void invalid(String rule) {
    error("Invalid value: " + value + ": " + rule);
  }

  void duplicate(String rule) {
    error("Duplicate value: " + rule);
  }

  void forbidden(String rule) {
    error("Forbidden: " + rule);
  }

  void remark(String message) {
    findings.add(new Finding(path, false, message));
  }

  private void error(String message) {
    findings.add(new Finding(path, true, message));
  }
}
