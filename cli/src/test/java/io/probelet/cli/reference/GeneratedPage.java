package io.probelet.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A page of {@code docs/reference} that is generated. */
final class GeneratedPage {
  private static final Path FOLDER = Path.of("../docs/reference");

  private final Path file;
  private final StringBuilder text = new StringBuilder();

  GeneratedPage(String name) {
    file = FOLDER.resolve(name);
  }

  GeneratedPage heading(int level, String heading) {
    text.append('\n').append("#".repeat(level)).append(' ').append(heading).append('\n');
    return this;
  }

  GeneratedPage paragraph(String paragraph) {
    text.append('\n').append(paragraph).append('\n');
    return this;
  }

  /** Columns in which no row has anything are left out. */
  GeneratedPage table(List<String> allHeads, List<List<String>> allRows) {
    List<Integer> columns =
        IntStream.range(0, allHeads.size())
            .filter(column -> allRows.stream().anyMatch(row -> !row.get(column).isEmpty()))
            .boxed()
            .toList();
    List<String> heads = columns.stream().map(allHeads::get).toList();
    List<List<String>> rows =
        allRows.stream().map(row -> columns.stream().map(row::get).toList()).toList();
    text.append('\n').append(row(heads)).append(row(heads.stream().map(_ -> "---").toList()));
    rows.forEach(row -> text.append(row(row)));
    return this;
  }

  private static String row(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|").replace('\n', ' '))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** {@return a text that Markdown takes for code} */
  static String code(String text) {
    return text.isEmpty() ? "" : text.contains("`") ? "`` " + text + " ``" : "`" + text + "`";
  }

  /** {@return a text in which nothing is markup} */
  static String plain(String text) {
    return text.replace("<", "&lt;").replace("*", "\\*").replaceAll("\\s+", " ").strip();
  }

  /** Holds the page in the repository against this one, or replaces it. */
  void assertCurrent() throws IOException {
    assertCurrent(text.toString().strip() + "\n");
  }

  /** Holds the page in the repository against a text, or replaces it. */
  void assertCurrent(String current) throws IOException {
    String page = Files.exists(file) ? Files.readString(file) : "";
    if ("write".equals(System.getProperty("probelet.docs"))) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, current);
      return;
    }
    assertThat(page)
        .as("%s is stale: run this test with -Dprobelet.docs=write", file)
        .isEqualTo(current);
  }
}
