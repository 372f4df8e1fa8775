package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.tree.Node.Scalar;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Checks the types of all fields of a pod, including those that Probelet does not use: a cluster
 * rejects the whole pod for one value of the wrong type.
 */
final class PodTypes {
  private static final String RESOURCE = "types";
  private static final String COMMENT = "#";
  private static final String INDENT = "  ";
  private static final String LIST = "list ";
  private static final String MAP = "map ";

  /** Fields that Kubernetes has from 1.37 on, and that probes use (P-26, P-27). */
  private static final Map<String, Map<String, String>> LATER =
      Map.of(
          "GRPCAction", Map.of("mode", "string"),
          "HTTPGetAction", Map.of("protocol", "string"));

  /** The type of each field, by type and field name. */
  private static final Map<String, Map<String, String>> TYPES = load();

  private PodTypes() {}

  /** Checks a pod; problems are added to its list. */
  static void check(Fields pod) {
    check(pod.field("metadata"), "ObjectMeta");
    check(pod.field("spec"), "PodSpec");
  }

  /** Checks a value of a type; problems are added to its list. */
  static void check(Field field, String type) {
    if (!field.isPresent()) {
      return;
    }
    if (type.startsWith(LIST)) {
      field.items().forEach(item -> check(item, type.substring(LIST.length())));
    } else if (type.startsWith(MAP)) {
      checkMap(field, type.substring(MAP.length()));
    } else if (TYPES.containsKey(type)) {
      checkObject(field, TYPES.getOrDefault(type, Map.of()));
    } else {
      checkValue(field, type);
    }
  }

  private static void checkMap(Field field, String type) {
    Fields map = field.object();
    if (map != null) {
      map.names().forEach(name -> check(map.keyed(name), type));
    }
  }

  private static void checkObject(Field field, Map<String, String> types) {
    Fields object = field.object();
    if (object != null) {
      types.forEach((name, type) -> check(object.field(name), type));
      object.rejectUnknown(Set.of());
    }
  }

  private static void checkValue(Field field, String type) {
    switch (type) {
      case "string" -> field.text();
      case "bool" -> field.bool(false);
      case "int32" -> field.int32(0);
      case "int64" -> field.int64(0);
      case "int-or-string" -> {
        if (!field.isText() && !field.isNumber()) {
          field.invalid("must be a number or a string");
        }
      }
      case "quantity" -> quantity(field);
      default -> {} // anything
    }
  }

  private static void quantity(Field field) {
    boolean amount =
        field.value() instanceof Scalar scalar
            && (field.isText() || field.isNumber())
            && Quantity.isValid(scalar.text());
    if (!amount) {
      field.invalid("must be a quantity of zero or more, such as 500m, 2 or 64Mi");
    }
  }

  private static Map<String, Map<String, String>> load() {
    Map<String, Map<String, String>> types = new HashMap<>();
    Map<String, String> fields = new LinkedHashMap<>();
    try (InputStream in = PodTypes.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("Probelet's jar lacks " + RESOURCE);
      }
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        if (line.startsWith(INDENT)) {
          int colon = line.indexOf(": ");
          fields.put(line.substring(INDENT.length(), colon), line.substring(colon + 2));
        } else if (!line.isEmpty() && !line.startsWith(COMMENT)) {
          fields = new LinkedHashMap<>();
          types.put(line, fields);
        }
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    LATER.forEach(
        (type, more) -> types.computeIfAbsent(type, _ -> new LinkedHashMap<>()).putAll(more));
    return types;
  }
}
