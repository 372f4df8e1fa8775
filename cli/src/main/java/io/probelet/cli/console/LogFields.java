package io.probelet.cli.console;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.probelet.probe.PodRef;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.event.KeyValuePair;
import org.slf4j.helpers.MessageFormatter;

/**
 * The fields of a line: its key-value pairs, and the arguments that its message writes as {@code
 * key={}}. Keys come only from this program's own messages, never from untrusted text.
 */
final class LogFields {
  private static final String OURS = "io.probelet.";

  /** A placeholder, with its key if there is one. */
  private static final Pattern PLACE =
      Pattern.compile("(?:(?<![\\w.-])([A-Za-z][\\w.-]*)=\"?)?\\{}");

  /** Keys that {@link JsonLine} writes itself. */
  private static final Set<String> TAKEN = Set.of("ts", "level", "msg", "logger", "error", "stack");

  /** A placeholder whose argument stands in quotes as the value of a key. */
  private static final Pattern QUOTED = Pattern.compile("=\"\\{}\"");

  private LogFields() {}

  /**
   * {@return the message; a quote in a quoted value is escaped, so that it cannot end the value and
   * forge further keys}
   */
  static String message(ILoggingEvent event) {
    Object[] arguments = event.getArgumentArray();
    String template = event.getMessage();
    if (arguments == null || template == null || !QUOTED.matcher(template).find()) {
      return event.getFormattedMessage();
    }
    Object[] escaped = arguments.clone();
    Matcher places = PLACE.matcher(template);
    for (int at = 0; at < escaped.length && places.find(); at++) {
      if (places.end() < template.length() && template.startsWith("=\"{}\"", places.end() - 4)) {
        escaped[at] = String.valueOf(escaped[at]).replace("\\", "\\\\").replace("\"", "\\\"");
      }
    }
    return MessageFormatter.basicArrayFormat(template, escaped);
  }

  /** {@return the fields in order; numbers and booleans as such, the rest as text} */
  static Map<String, Object> of(ILoggingEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    for (KeyValuePair pair : pairs == null ? List.<KeyValuePair>of() : pairs) {
      put(fields, pair.key, pair.value);
    }
    Object[] arguments = event.getArgumentArray();
    if (arguments != null && event.getLoggerName().startsWith(OURS)) {
      Matcher places = PLACE.matcher(event.getMessage());
      for (int at = 0; at < arguments.length && places.find(); at++) {
        String key = places.group(1);
        if (key != null) {
          put(fields, key, arguments[at]);
        }
      }
    }
    return fields;
  }

  private static void put(Map<String, Object> fields, String key, Object value) {
    if (key.equals("pod") && value instanceof PodRef pod) { // as in the console's lines
      fields.put("namespace", pod.namespace());
      fields.put("pod", pod.name());
      fields.put("pod_uid", pod.uid());
      return;
    }
    fields.put(
        TAKEN.contains(key) ? key + "_" : key,
        value instanceof Integer
                || value instanceof Long
                || value instanceof Double
                || value instanceof Boolean
            ? value
            : String.valueOf(value));
  }
}
