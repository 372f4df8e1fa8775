package io.probelet.monitor.rule;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Finding;
import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object of a monitor file being read: hands out values by key, upper and lower case alike as in
 * Go, remembers which keys it was asked for, and collects what is wrong. A value of the wrong
 * type is complained about and answered as if it were absent.
 */
final class MonitorKeys {
  private final List<String> path;
  private final @Nullable JsonNode object;
  private final List<Finding> findings;
  private final Set<String> asked = new HashSet<>();

  MonitorKeys(List<String> path, @Nullable JsonNode object, List<Finding> findings) {
    this.path = path;
    this.findings = findings;
    boolean usable = object == null || object.isNull() || object.isObject();
    if (!usable) {
      findings.add(new Finding(path, true, "must be an object"));
    }
    this.object = usable ? object : null;
  }

  boolean has(String key) {
    return value(key) != null;
  }

  private @Nullable JsonNode value(String key) {
    asked.add(key.toLowerCase(Locale.ROOT));
    JsonNode exact = object == null ? null : object.get(key);
    if (exact == null && object != null) {
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        exact = entry.getKey().equalsIgnoreCase(key) ? entry.getValue() : exact;
      }
    }
    return exact == null || exact.isNull() ? null : exact;
  }

  String text(String key, String absent) {
    JsonNode value = value(key);
    if (value != null && !value.isTextual()) {
      error(key, "must be a string");
      return absent;
    }
    return value == null ? absent : value.textValue();
  }

  String required(String key, String what) {
    JsonNode value = value(key);
    String text = text(key, "");
    if (text.isBlank() && (value == null || value.isTextual())) {
      error(key, "is required: " + what);
    }
    return text;
  }

  boolean bool(String key, boolean absent) {
    JsonNode value = value(key);
    if (value != null && !value.isBoolean()) {
      error(key, "must be true or false");
    }
    return value == null ? absent : value.asBoolean(absent);
  }

  int atLeast(int least, String key, int absent) {
    JsonNode value = value(key);
    if (value == null) {
      return absent;
    }
    if (!value.canConvertToInt() || !value.isIntegralNumber() || value.intValue() < least) {
      error(key, "must be a whole number of " + least + " or more, found " + value);
      return absent;
    }
    return value.intValue();
  }

  int percent(String key, int absent) {
    int percent = atLeast(1, key, absent);
    if (percent > 100) {
      error(key, "must be 1 to 100, found " + percent);
    }
    return percent;
  }

  /** A duration in Go's notation; a bare 0 and an empty text are none. */
  @Nullable Duration duration(String key) {
    String text = text(key, "");
    if (text.isEmpty()) {
      return null;
    }
    try {
      Duration duration = GoDuration.parse(text);
      if (!duration.isNegative()) {
        return duration;
      }
      error(key, "must not be negative, found " + text);
    } catch (IllegalArgumentException malformed) {
      error(key, String.valueOf(malformed.getMessage()));
    }
    return null;
  }

  Duration duration(String key, Duration absent) {
    Duration duration = duration(key);
    return duration == null ? absent : duration;
  }

  Duration positive(String key, Duration absent) {
    Duration duration = duration(key);
    if (duration != null && duration.isZero()) {
      error(key, "must be above zero");
      return absent;
    }
    return duration == null ? absent : duration;
  }

  /** Reads a text that has a notation of its own; null when it is absent or refused. */
  <T> @Nullable T parsed(String key, Function<String, T> parser) {
    String text = text(key, "");
    if (text.isEmpty()) {
      return null;
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException malformed) {
      error(key, "\"" + text + "\" " + malformed.getMessage());
      return null;
    }
  }

  MonitorKeys object(String key) {
    return new MonitorKeys(at(key), value(key), findings);
  }

  List<MonitorKeys> objects(String key) {
    List<MonitorKeys> objects = new ArrayList<>();
    for (JsonNode item : items(key)) {
      objects.add(new MonitorKeys(at(key, objects.size()), item, findings));
    }
    return objects;
  }

  List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : items(key)) {
      if (item.isTextual()) {
        texts.add(item.textValue());
      } else {
        findings.add(new Finding(at(key, texts.size()), true, "must be a string"));
        return List.of();
      }
    }
    return texts;
  }

  /** An object whose values are texts. */
  Map<String, String> textsByName(String key) {
    JsonNode value = value(key);
    Map<String, String> texts = new LinkedHashMap<>();
    if (value != null && !value.isObject()) {
      error(key, "must be an object");
    } else if (value != null) {
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        if (entry.getValue().isTextual() && entry.getValue().textValue().indexOf('\0') < 0) {
          texts.put(entry.getKey(), entry.getValue().textValue());
        } else {
          error(key, "\"" + entry.getKey() + "\" must be a string without a zero character");
        }
      }
    }
    return texts;
  }

  private Iterable<JsonNode> items(String key) {
    JsonNode value = value(key);
    if (value != null && !value.isArray()) {
      error(key, "must be a list");
    }
    return value == null || !value.isArray() ? List.of() : value;
  }

  /** Complains about keys nobody asked for. */
  void unknown(boolean fatal, String remark) {
    if (object == null) {
      return;
    }
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (!asked.contains(entry.getKey().toLowerCase(Locale.ROOT))) {
        findings.add(new Finding(at(entry.getKey()), fatal, "unknown field" + remark));
      }
    }
  }

  void error(String key, String message) {
    findings.add(new Finding(at(key), true, message));
  }

  private List<String> at(String key) {
    List<String> child = new ArrayList<>(path);
    // The file's own spelling, so that the place can be found in it.
    child.add(spelled(key));
    return child;
  }

  private String spelled(String key) {
    if (object != null && !object.has(key)) {
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        if (entry.getKey().equalsIgnoreCase(key)) {
          return entry.getKey();
        }
      }
    }
    return key;
  }

  private List<String> at(String key, int index) {
    List<String> child = at(key);
    child.add("[" + index + "]");
    return child;
  }
}
