package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Selects objects by labels and fields. */
final class Selector {
  private static final Pattern SET =
      Pattern.compile("\\s*(\\S+)\\s+(in|notin)\\s+\\(([^)]*)\\)\\s*");
  private static final Pattern VALUE =
      Pattern.compile("\\s*([^=!\\s]+)\\s*(==|=|!=)\\s*(\\S*)\\s*");

  /** Commas outside of parentheses. */
  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  private static final Set<String> OF_ALL = Set.of("metadata.name", "metadata.namespace");
  private static final Map<String, Set<String>> FIELDS =
      Map.of(
          "Pod",
          Set.of(
              "spec.nodeName",
              "spec.restartPolicy",
              "spec.schedulerName",
              "spec.serviceAccountName",
              "status.phase",
              "status.podIP",
              "status.nominatedNodeName"),
          "Node",
          Set.of("spec.unschedulable"),
          "Job",
          Set.of("status.successful"),
          "Secret",
          Set.of("type"),
          "Namespace",
          Set.of("status.phase"),
          "Event",
          Set.of(
              "involvedObject.kind",
              "involvedObject.namespace",
              "involvedObject.name",
              "involvedObject.uid",
              "involvedObject.apiVersion",
              "involvedObject.resourceVersion",
              "involvedObject.fieldPath",
              "reason",
              "reportingComponent",
              "source",
              "type"));

  private final List<Predicate<JsonNode>> all = new ArrayList<>();

  private Selector() {}

  /** {@return the selector of a request} */
  static Selector of(ApiKind kind, ApiRequest request) {
    Selector selector = new Selector();
    for (String term : terms(request.parameter("labelSelector"))) {
      Predicate<JsonNode> label = label(term);
      selector.all.add(object -> label.test(object.at("/metadata/labels")));
    }
    for (String term : terms(request.parameter("fieldSelector"))) {
      selector.all.add(field(kind, term));
    }
    return selector;
  }

  /** {@return the selector in an object, such as a budget} */
  static Selector of(JsonNode selector) {
    Selector made = new Selector();
    selector
        .path("matchLabels")
        .properties()
        .forEach(each -> {
          String value = each.getValue().asText();
          made.all.add(object -> value.equals(labelOf(object, each.getKey())));
        });
    for (JsonNode each : selector.path("matchExpressions")) {
      List<String> values = new ArrayList<>();
      each.path("values").forEach(value -> values.add(value.asText()));
      String key = each.path("key").asText();
      String operator = each.path("operator").asText();
      made.all.add(object -> {
        String value = labelOf(object, key);
        return switch (operator) {
          case "In" -> value != null && values.contains(value);
          case "NotIn" -> value == null || !values.contains(value);
          case "Exists" -> value != null;
          default -> value == null;
        };
      });
    }
    return made;
  }

  private static @Nullable String labelOf(JsonNode object, String key) {
    JsonNode value = object.path("metadata").path("labels").path(key);
    return value.isTextual() ? value.textValue() : null;
  }

  private static List<String> terms(String text) {
    return text.isEmpty()
        ? List.of()
        : COMMA.splitAsStream(text).filter(term -> !term.isBlank()).toList();
  }

  private static Predicate<JsonNode> label(String term) {
    Matcher set = SET.matcher(term);
    if (set.matches()) {
      List<String> values = List.of(set.group(3).split("\\s*,\\s*"));
      boolean in = set.group(2).equals("in");
      String key = set.group(1);
      return labels ->
          in == (labels.has(key) && values.contains(labels.path(key).asText().strip()));
    }
    Matcher value = VALUE.matcher(term);
    if (value.matches()) {
      boolean equal = !value.group(2).equals("!=");
      String key = value.group(1);
      String wanted = value.group(3);
      return labels -> equal == (labels.has(key) && labels.path(key).asText().equals(wanted));
    }
    String key = term.strip();
    return key.startsWith("!")
        ? labels -> !labels.has(key.substring(1))
        : labels -> labels.has(key);
  }

  private static Predicate<JsonNode> field(ApiKind kind, String term) {
    Matcher value = VALUE.matcher(term);
    if (!value.matches()) {
      throw RefusedRequest.badRequest("invalid field selector: " + term);
    }
    String field = value.group(1);
    if (!OF_ALL.contains(field) && !FIELDS.getOrDefault(kind.kind(), Set.of()).contains(field)) {
      throw RefusedRequest.badRequest("field label not supported: " + field);
    }
    String pointer = "/" + field.replace('.', '/');
    boolean equal = !value.group(2).equals("!=");
    String wanted = value.group(3);
    return object -> equal == text(object, pointer).equals(wanted);
  }

  private static String text(JsonNode object, String pointer) {
    if (pointer.equals("/spec/unschedulable")) {
      return Boolean.toString(object.at(pointer).asBoolean());
    }
    return pointer.equals("/source")
        ? object.at("/source/component").asText(object.path("reportingComponent").asText())
        : object.at(pointer).asText();
  }

  boolean isAll() {
    return all.isEmpty();
  }

  boolean matches(JsonNode object) {
    for (Predicate<JsonNode> each : all) {
      if (!each.test(object)) {
        return false;
      }
    }
    return true;
  }
}
