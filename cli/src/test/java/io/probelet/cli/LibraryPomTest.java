package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Maven Central wants to know of the libraries, and a program with modules of their jars. */
class LibraryPomTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Never shipped by a Maven repository. */
  private static final Set<String> PROGRAMS =
      Set.of(
          "agent",
          "cli",
          "controller",
          "fleet",
          "rehearsal",
          "web",
          "testing/fuzz-tests",
          "testing/system-tests",
          "benchmarks");

  static Stream<String> libraries() {
    return all("<module>([^<]+)</module>", RuleBook.text(ROOT.resolve("pom.xml"))).stream()
        .filter(module -> !PROGRAMS.contains(module))
        .filter(module -> !module.equals("bom")); // versions only
  }

  @Test
  @DisplayName("the parent has what all inherit")
  void parent() {
    String pom = RuleBook.text(ROOT.resolve("pom.xml"));
    for (String element : List.of("description", "url", "licenses", "developers", "scm")) {
      assertThat(pom).containsPattern("(?m)^  <" + element + "[ >]");
    }
    assertThat(pom)
        .as("else Maven appends the module's name to each address")
        .contains("child.project.url.inherit.append.path=\"false\"")
        .contains("child.scm.connection.inherit.append.path=\"false\"");
  }

  @ParameterizedTest
  @MethodSource("libraries")
  @DisplayName(
      "a library says what it is, and its module has the name that its packages begin with")
  void library(String module) throws Exception {
    String pom = RuleBook.text(ROOT.resolve(module).resolve("pom.xml"));
    assertThat(pom).containsPattern("<description>[^<]{20,}\\.</description>");
    String name = all("<module.name>([^<]+)</module.name>", pom).getFirst();
    assertThat(packages(module)).isNotEmpty().allMatch(each -> (each + ".").startsWith(name + "."));
  }

  @Test
  @DisplayName("no two libraries share a package, which modules could not")
  void packagesAreOfOneModule() throws Exception {
    Set<String> seen = new HashSet<>();
    for (String module : libraries().toList()) {
      assertThat(packages(module)).as(module).allMatch(seen::add);
    }
  }

  @Test
  @DisplayName("programs and tests are not staged for a Maven repository")
  void programs() {
    for (String module : PROGRAMS) {
      assertThat(RuleBook.text(ROOT.resolve(module).resolve("pom.xml")))
          .as(module)
          .contains("<maven.deploy.skip>true</maven.deploy.skip>");
    }
  }

  private static Set<String> packages(String module) throws Exception {
    Path sources = ROOT.resolve(module).resolve("src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
          .collect(Collectors.toSet());
    }
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(each -> each.group(1)).toList();
  }
}
