package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** docs/development/architecture.md names classes; a drawing of what is gone leads astray. */
class ArchitectureDocTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z0-9]*)+)`");
  private static final Pattern FILE = Pattern.compile("[a-z-]+/src/main/java/[\\w/]+\\.java");
  private static final Pattern ENDPOINT = Pattern.compile("/api/v1/[a-z]+");
  private static final Pattern MODULE = Pattern.compile("(?m)^  \\w+\\[([a-z-]+):");

  private final String page = RuleBook.text(ROOT.resolve("docs/development/architecture.md"));

  /** Names of files, without their suffix. */
  private static Set<String> files(Predicate<Path> which) {
    return RuleBook.files(ROOT, ".java")
        .filter(which)
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toSet());
  }

  @Test
  void theClassesAreThere() {
    Set<String> there = files(_ -> true);
    assertThat(CLASS.matcher(page).results().map(found -> found.group(1)))
        .hasSizeGreaterThan(20)
        .allMatch(there::contains);
  }

  @Test
  @DisplayName("every endpoint that a page names is served")
  void theEndpointsAreThere() {
    String code =
        RuleBook.files(ROOT, ".java")
            .filter(file -> file.toString().contains("/src/main/java/"))
            .map(RuleBook::text)
            .collect(Collectors.joining());
    assertThat(
            RuleBook.files(ROOT.resolve("docs"), ".md")
                .map(RuleBook::text)
                .flatMap(text -> ENDPOINT.matcher(text).results())
                .map(MatchResult::group)
                .distinct())
        .hasSizeGreaterThan(4)
        .allMatch(path -> code.contains("\"" + path + "\""));
  }

  @Test
  @DisplayName("each file that the page says to open is there")
  void theFilesAreThere() {
    assertThat(FILE.matcher(page).results().map(MatchResult::group))
        .hasSizeGreaterThan(3)
        .allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
  }

  @Test
  @DisplayName("the drawing has each module with code that is shipped, and no other")
  void theRoomsAreThere() {
    Set<String> drawn =
        MODULE.matcher(page).results().map(found -> found.group(1)).collect(Collectors.toSet());
    Set<String> modules =
        Pattern.compile("<module>([^<]+)</module>")
            .matcher(RuleBook.text(ROOT.resolve("pom.xml")))
            .results()
            .map(found -> found.group(1))
            .filter(module -> !module.startsWith("testing/") && !module.equals("benchmarks"))
            .filter(module -> Files.isDirectory(ROOT.resolve(module, "src")))
            .map(module -> module.replace("common/", ""))
            .collect(Collectors.toSet());
    assertThat(drawn).isEqualTo(modules);
  }
}
