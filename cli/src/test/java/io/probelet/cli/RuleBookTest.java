package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rule book and who cites it: every number means one thing, and is held by a test. */
class RuleBookTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final RuleBook BOOK = RuleBook.of(ROOT.resolve("docs/rules"));

  @Test
  void theBookHasItsPages() {
    assertThat(BOOK.rules().stream().map(rule -> rule.page().toString()).distinct())
        .containsExactlyInAnyOrder(
            "cluster-health.md",
            "maintenance.md",
            "node-monitoring.md",
            "node-readiness.md",
            "node-remediation.md",
            "probe-advice.md",
            "probing.md",
            "remediators.md",
            "tape.md",
            "workload-evidence.md");
    assertThat(BOOK.numbers()).contains("P-1", "W-3", "A-10", "RB-5", "NHC-24", "CH-39", "CC-12");
  }

  @Test
  void noNumberIsGivenTwice() {
    Set<String> seen = new TreeSet<>();
    assertThat(BOOK.rules().stream().filter(rule -> !seen.add(rule.number()))).isEmpty();
  }

  @Test
  void noPrefixIsUsedByTwoPages() {
    assertThat(
            BOOK.rules().stream()
                .map(rule -> rule.prefix() + " of " + rule.page())
                .distinct()
                .collect(Collectors.groupingBy(use -> use.substring(0, use.indexOf(' '))))
                .values())
        .allSatisfy(pages -> assertThat(pages).hasSize(1));
  }

  @Test
  void whatIsCitedIsInTheBook() {
    List<String> unknown =
        Stream.concat(java(), RuleBook.files(ROOT.resolve("docs"), ".md"))
            .flatMap(file ->
                BOOK.citedIn(file)
                    .filter(number -> !BOOK.numbers().contains(number))
                    .map(number -> ROOT.relativize(file) + " cites " + number))
            .toList();
    assertThat(unknown).as("rules that docs/rules does not know").isEmpty();
  }

  @Test
  void everyRuleIsHeldByATest() {
    Set<String> uncited = new TreeSet<>(BOOK.numbers());
    java()
        .filter(file -> file.toString().contains("/src/test/"))
        .flatMap(BOOK::citedIn)
        .forEach(uncited::remove);
    assertThat(uncited).as("rules of docs/rules that no test names").isEmpty();
  }

  @Test
  @DisplayName(
      "Whoever reads the code learns the reason where it counts, not by looking up a number")
  void aCitationComesWithItsReason() {
    List<String> bare =
        java()
            .filter(file -> file.toString().contains("/src/main/"))
            .flatMap(file ->
                RuleBook.comments(RuleBook.text(file))
                    .filter(BOOK::bare)
                    .map(comment -> ROOT.relativize(file) + ": " + comment))
            .toList();
    assertThat(bare).as("comments that are only a rule's number").isEmpty();
  }

  @Test
  @DisplayName("Lines of a comment belong together, code ends it")
  void bareComments() {
    assertThat(
            RuleBook.comments(
                    """
                    int a; // W-3
                    // W-1, W-2.
                    int b; // W-3: the pod
                    // was not created yet
                    String s = "// W-3";
                    /** {@return W-3} */
                    """)
                .filter(BOOK::bare))
        .containsExactly("// W-3\n// W-1, W-2.", "/** {@return W-3} */");
  }

  @Test
  @DisplayName("Numbers are for those who read the code: no text of ours shows one to a user")
  void noNumberReachesTheScreen() {
    List<String> shown =
        java()
            .filter(file -> file.toString().contains("/src/main/"))
            // A broken rule of a simulation is for those who read the code.
            .filter(file -> !file.startsWith(ROOT.resolve("testing")))
            .flatMap(file ->
                RuleBook.literals(RuleBook.text(file))
                    .flatMap(BOOK::citedIn)
                    .map(number -> ROOT.relativize(file) + " says " + number))
            .toList();
    assertThat(shown).isEmpty();

    assertThat(
            Stream.of("README.md", "examples", "deploy", "docs")
                .flatMap(path -> RuleBook.files(ROOT.resolve(path), ""))
                .filter(file -> file.toString().matches(".*\\.(md|yaml|tpl|txt)"))
                .filter(file -> !file.startsWith(ROOT.resolve("docs/rules")))
                .filter(file -> BOOK.citedIn(file).findAny().isPresent()))
        .isEmpty();
  }

  @Test
  @DisplayName("A number in a comment is no text, one behind an escaped quote is")
  void literals() {
    assertThat(
            RuleBook.literals(
                """
                // "W-1"
                /* "W-2" */ char c = '"'; String s = "a \\" W-3"; // it's
                String t = \"""
                    W-4
                    \"""; char d = '\\''; String u = "";
                """))
        .containsExactly("\"a \\\" W-3\"", "\"\"\"\n    W-4\n    \"\"\"", "\"\"");
  }

  private static Stream<Path> java() {
    return RuleBook.files(ROOT, ".java");
  }
}
