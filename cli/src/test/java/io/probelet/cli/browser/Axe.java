package io.probelet.cli.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** axe-core: what of a page somebody with a screen reader, a keyboard or weak eyes cannot use. */
final class Axe {
  private static final String SOURCE = source();

  private Axe() {}

  private static String source() {
    String name = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
    try (InputStream file = Axe.class.getResourceAsStream(name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** {@return a line for each rule that a page breaks, with where and why} */
  static List<String> violations(BrowserTab tab) {
    return violations(tab, "");
  }

  /**
   * {@return the same of a page that was checked already, and now has other colours and another
   * width: by the few rules that can find something new}
   */
  static List<String> violationsOfLooks(BrowserTab tab) {
    return violations(tab, ", runOnly: ['color-contrast', 'scrollable-region-focusable']");
  }

  private static List<String> violations(BrowserTab tab, String options) {
    if (!tab.eval("'axe' in window").asBoolean()) {
      tab.eval(SOURCE + ";0");
    }
    List<String> lines = new ArrayList<>();
    String run =
        "axe.run(document, {resultTypes: ['violations']" + options + "}).then(r => r.violations)";
    for (JsonNode rule : tab.eval(run)) {
      JsonNode first = rule.path("nodes").path(0);
      lines.add(
          "%s at %s (and %d more): %s"
              .formatted(
                  rule.path("id").asText(),
                  first.path("html").asText(),
                  rule.path("nodes").size() - 1,
                  first.path("failureSummary").asText().replaceAll("\\s+", " ")));
    }
    return lines;
  }
}
