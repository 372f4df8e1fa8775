package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks links between Markdown pages, and paths of pages that other files name. */
class DocLinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Blocks and spans of code, and comments: links in them are not rendered. */
  private static final Pattern NOT_RENDERED =
      Pattern.compile("(?ms)^ *```.*?^ *```|(?s)<!--.*?-->|`[^`\n]+`");

  private static final Pattern LINK =
      Pattern.compile("]\\(([^)\\s]+)\\)|(?:src|srcset|href)=\"([^\"]+)\"");

  private static final Pattern EXTERNAL = Pattern.compile("[a-z]+:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");

  /** A page by its path from the root, in a file that is not a page: a comment, a help text. */
  private static final Pattern MENTION =
      Pattern.compile("(?<![\\w/.-])(docs/[\\w./-]+\\.md)(#[\\w-]+)?");

  private static final Pattern TEXT =
      Pattern.compile(".*\\.(java|md|ya?ml|tpl|txt|xml|json|sh|service|env)|.*/scripts/[^./]+");

  private static final Pattern TEST_CLASS = Pattern.compile("\\b[A-Z]\\w+Tests?\\b");

  /** Sections for users; the others are for people who change the program. */
  private static final List<String> USER_PAGES =
      List.of(
          "README.md",
          "docs/README.md",
          "docs/start",
          "docs/concepts",
          "docs/how-to",
          "docs/reference",
          "docs/operate",
          "docs/compare",
          "deploy",
          "examples");

  /**
   * A link in a file.
   *
   * @param from the file
   * @param folder what the target is relative to
   * @param target a path, an anchor, or both
   */
  private record Link(Path from, Path folder, String target) {

    static Link in(Path page, String target) {
      return new Link(page, page.getParent(), target);
    }

    /** The page or file, without the anchor. */
    Path file() {
      String path = target.replaceFirst("#.*", "");
      return path.isEmpty() ? from : folder.resolve(path).normalize();
    }

    boolean resolves() {
      int anchor = target.indexOf('#');
      return Files.exists(file())
          && (anchor < 0
              || !file().toString().endsWith(".md")
              || anchors(RuleBook.text(file())).contains(target.substring(anchor + 1)));
    }

    @Override
    public String toString() {
      return ROOT.relativize(from) + ": " + target;
    }
  }

  @Test
  @DisplayName("Relative links and anchors of all Markdown pages resolve")
  void links() {
    List<Link> links = RuleBook.files(ROOT, ".md").flatMap(DocLinksTest::linksOf).toList();
    assertThat(links).hasSizeGreaterThan(300);
    assertThat(links.stream().filter(link -> !link.resolves())).isEmpty();
  }

  @Test
  @DisplayName("Pages that code, manifests and scripts name by path exist")
  void mentions() {
    List<Link> mentions =
        RuleBook.files(ROOT, "")
            .filter(file -> TEXT.matcher(file.toString()).matches())
            .filter(file -> !file.toString().contains("/src/test/")) // may name absent pages
            .flatMap(file -> mentions(file, RuleBook.text(file)))
            .toList();
    assertThat(mentions).hasSizeGreaterThan(50);
    assertThat(mentions.stream().filter(link -> !link.resolves())).isEmpty();
  }

  @Test
  @DisplayName("Every page below docs/ can be reached from docs/README.md")
  void reachable() {
    Path index = ROOT.resolve("docs/README.md");
    Set<Path> reached = new HashSet<>(Set.of(index));
    Deque<Path> next = new ArrayDeque<>(reached);
    while (!next.isEmpty()) {
      linksOf(next.pop())
          .map(Link::file)
          .flatMap(DocLinksTest::pages)
          .filter(reached::add)
          .forEach(next::push);
    }
    assertThat(RuleBook.files(ROOT.resolve("docs"), ".md").filter(page -> !reached.contains(page)))
        .isEmpty();
  }

  @Test
  @DisplayName("Pages for users name no test class")
  void noTestClasses() {
    assertThat(
            USER_PAGES.stream()
                .flatMap(path -> RuleBook.files(ROOT.resolve(path), ".md"))
                .flatMap(page ->
                    TEST_CLASS
                        .matcher(RuleBook.text(page).replaceAll("(?s)<!--.*?-->", ""))
                        .results()
                        .map(found -> ROOT.relativize(page) + ": " + found.group())))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "# Settings, settings",
    "## `probelet agent` & its CRDs, probelet-agent--its-crds",
    "## [A link](a.md#b), a-link",
    "## What is `x_y`?, what-is-x_y"
  })
  @DisplayName("Anchors are those of GitHub")
  void anchor(String heading, String anchor) {
    assertThat(anchors(heading)).containsExactly(anchor);
  }

  @Test
  @DisplayName("A second heading with the same text has a number")
  void secondAnchor() {
    assertThat(anchors("# A\n\n```\n# no heading\n```\n\n## B\n\n## A\n"))
        .containsExactly("a", "b", "a-1");
  }

  @Test
  @DisplayName("A missing file, a missing anchor and a page named by path are found")
  void broken() {
    Path page = ROOT.resolve("docs/how-to/run.md");
    assertThat(Link.in(page, "agent.md").resolves()).isTrue();
    assertThat(Link.in(page, "absent.md").resolves()).isFalse();
    assertThat(Link.in(page, "agent.md#absent").resolves()).isFalse();
    assertThat(mentions(page, "see docs/absent.md#there, or https://x.y/docs/z.md"))
        .containsExactly(new Link(page, ROOT, "docs/absent.md#there"));
  }

  private static Stream<Link> linksOf(Path page) {
    return LINK.matcher(NOT_RENDERED.matcher(RuleBook.text(page)).replaceAll(""))
        .results()
        .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
        .filter(target -> !EXTERNAL.matcher(target).matches())
        .map(target -> Link.in(page, target));
  }

  private static Stream<Link> mentions(Path file, String text) {
    return MENTION
        .matcher(file.toString().endsWith(".md") ? LINK.matcher(text).replaceAll("") : text)
        .results()
        .map(found -> new Link(file, ROOT, found.group()));
  }

  /** The page, or the pages of a folder. */
  private static Stream<Path> pages(Path target) {
    return Files.isDirectory(target)
        ? RuleBook.files(target, ".md").filter(page -> page.getParent().equals(target))
        : target.toString().endsWith(".md") ? Stream.of(target) : Stream.empty();
  }

  /** The anchors of a page, as GitHub makes them of its headings. */
  private static Set<String> anchors(String page) {
    Set<String> anchors = new LinkedHashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    Matcher headings = HEADING.matcher(FENCED.matcher(page).replaceAll(""));
    while (headings.find()) {
      String anchor =
          headings
              .group(1)
              .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\w\\- ]", "")
              .replace(' ', '-');
      int before = seen.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    return anchors;
  }
}
