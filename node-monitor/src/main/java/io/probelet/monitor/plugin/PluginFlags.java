package io.probelet.monitor.plugin;

import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A command line in the style of Go programs: {@code --name=value} or {@code --name value}. */
final class PluginFlags {
  private final Map<String, List<String>> values = new LinkedHashMap<>();

  private PluginFlags() {}

  /**
   * Reads a command line.
   *
   * @param switches the flags without a value
   * @throws IllegalArgumentException if anything else is present; the message is for the user
   */
  static PluginFlags parse(List<String> args, Set<String> known, Set<String> switches) {
    PluginFlags flags = new PluginFlags();
    for (int at = 0; at < args.size(); at++) {
      String word = args.get(at);
      String bare = word.startsWith("--") ? word.substring(2) : word.replaceFirst("^-", "");
      int equals = bare.indexOf('=');
      String name = equals < 0 ? bare : bare.substring(0, equals);
      if (!word.startsWith("-") || !(known.contains(name) || switches.contains(name))) {
        throw new IllegalArgumentException("unknown argument " + word);
      }
      String value;
      if (equals >= 0) {
        value = bare.substring(equals + 1);
      } else if (switches.contains(name)) {
        value = "true";
      } else if (++at < args.size()) {
        value = args.get(at);
      } else {
        throw new IllegalArgumentException("--" + name + " requires a value");
      }
      flags.values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }
    return flags;
  }

  /** {@return the last value; {@code absent} if there is none} */
  String text(String name, String absent) {
    List<String> all = all(name);
    return all.isEmpty() ? absent : all.getLast();
  }

  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  Duration duration(String name, Duration absent) {
    String text = text(name, "");
    try {
      return text.isEmpty() ? absent : GoDuration.parse(text);
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException("--" + name + ": " + malformed.getMessage(), malformed);
    }
  }

  int number(String name, int absent) {
    String text = text(name, "");
    try {
      return text.isEmpty() ? absent : Integer.parseInt(text);
    } catch (NumberFormatException malformed) {
      throw new IllegalArgumentException(
          "--" + name + ": " + text + " is not an integer", malformed);
    }
  }
}
