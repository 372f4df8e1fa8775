package io.probelet.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The lines that production code of agents and controllers may log, found in its sources. */
final class LogTemplates {
  private static final List<String> MODULES =
      List.of(
          "agent",
          "controller",
          "cluster-health",
          "common/kube-client",
          "node-health",
          "node-monitor",
          "probe-engine",
          "remediators");

  private static final Pattern CALL =
      Pattern.compile(
          "LOG\\s*\\.\\s*(?:info|warn|error)\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*\\+?\\s*)+)");
  private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  private LogTemplates() {}

  /**
   * {@return the templates in the sources below the working directory; none where there are none}
   */
  static Set<String> ofSources() {
    Set<String> templates = new TreeSet<>();
    for (String module : MODULES) {
      Path sources = Path.of(module, "src/main/java");
      if (Files.isDirectory(sources)) {
        try (Stream<Path> files = Files.walk(sources)) {
          files
              .filter(file -> file.toString().endsWith(".java"))
              .forEach(file -> read(file, templates));
        } catch (IOException unreadable) {
          throw new UncheckedIOException(unreadable);
        }
      }
    }
    return templates;
  }

  private static void read(Path file, Set<String> templates) {
    try {
      Matcher calls = CALL.matcher(Files.readString(file));
      while (calls.find()) {
        StringBuilder template = new StringBuilder();
        Matcher texts = TEXT.matcher(calls.group(1));
        while (texts.find()) {
          template.append(texts.group(1).replace("\\\"", "\""));
        }
        templates.add(template.toString());
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
