package io.probelet.agent.remediators;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RemediatorsDocTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(#\\w+)?`|(?<=, )`(#\\w+)`");

  @Test
  @DisplayName("What happens on each failure is proved by tests that are there")
  void provedBy() throws IOException {
    List<String> missing = new ArrayList<>();
    int named = 0;
    String source = "";
    String test = "";
    for (MatchResult each :
        TEST.matcher(Files.readString(ROOT.resolve("docs/remediators.md"))).results().toList()) {
      named++;
      if (each.group(1) != null) {
        test = each.group(1);
        source = source(test);
      }
      String method = each.group(2) == null ? each.group(3) : each.group(2);
      if (source.isEmpty()
          || (method != null && !source.contains(" " + method.substring(1) + "()"))) {
        missing.add(test + " " + method);
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThanOrEqualTo(8);
  }

  private static String source(String test) throws IOException {
    for (String module : List.of("remediators", "agent")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test"))) {
        Path found = files.filter(file -> file.endsWith(test + ".java")).findFirst().orElse(null);
        if (found != null) {
          return Files.readString(found);
        }
      }
    }
    return "";
  }
}
