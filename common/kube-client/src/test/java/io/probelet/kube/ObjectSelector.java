package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * The selectors of a request.
 *
 * @param labels {@code key}, {@code !key}, {@code key=value} and {@code key!=value}, with commas
 *     between them
 * @param fields {@code path=value} and {@code path!=value}, with commas between them
 */
record ObjectSelector(String labels, String fields) {
  static ObjectSelector of(Map<String, String> query) {
    return new ObjectSelector(
        query.getOrDefault("labelSelector", ""), query.getOrDefault("fieldSelector", ""));
  }

  boolean isAll() {
    return labels.isEmpty() && fields.isEmpty();
  }

  boolean matches(JsonNode object) {
    for (String label : labels.split(",", -1)) {
      if (!label.isEmpty() && !hasLabel(object.at("/metadata/labels"), label)) {
        return false;
      }
    }
    for (String field : fields.split(",", -1)) {
      String[] pair = field.split("!?=", 2);
      if (pair.length == 2
          && object.at("/" + pair[0].replace('.', '/')).asText().equals(pair[1])
              == field.contains("!=")) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasLabel(JsonNode labels, String requirement) {
    if (requirement.startsWith("!")) {
      return !labels.has(requirement.substring(1));
    }
    String[] pair = requirement.split("!=|==?", 2);
    boolean equal = pair.length == 1 || labels.path(pair[0]).asText().equals(pair[1]);
    return requirement.contains("!=") ? !equal : labels.has(pair[0]) && equal;
  }
}
