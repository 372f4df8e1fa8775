package io.probelet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A block of a page, fenced or indented.
 *
 * @param line of its first line, from 1
 * @param language the first word behind the fence; empty for an indented block
 * @param comment the HTML comment above the block, without its dashes; empty if there is none
 */
record DocBlock(Path file, int line, String language, String comment, List<String> lines) {
  static final Path ROOT = Path.of(System.getProperty("probelet.docs.root", ".."));

  private static final Pattern FENCE = Pattern.compile("^(\\s*)(```+|~~~+)\\s*(\\S*).*$");
  private static final Pattern COMMENT = Pattern.compile("^<!-- (.*?) -->$");
  private static final Pattern LIST = Pattern.compile("^\\s*([-*]|\\d+\\.)\\s.*");
  private static final String INDENT = "    ";

  /** {@return the pages that users and developers read} */
  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(ROOT)) {
      top.filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !file.endsWith("CHANGELOG.md"))
          .forEach(pages::add);
    }
    for (String folder : List.of("docs", "examples", "deploy", "benchmarks")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .filter(file -> !file.toString().contains("/target/"))
            .forEach(pages::add);
      }
    }
    pages.sort(null);
    return pages;
  }

  static List<DocBlock> of(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<DocBlock> blocks = new ArrayList<>();
    String above = "";
    boolean afterBlank = true;
    boolean inList = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      Matcher fence = FENCE.matcher(line);
      if (fence.matches()) {
        int end = i + 1;
        while (end < lines.size() && !lines.get(end).strip().equals(fence.group(2))) {
          end++;
        }
        String indent = fence.group(1);
        List<String> inner =
            lines.subList(i + 1, end).stream()
                .map(each -> each.startsWith(indent) ? each.substring(indent.length()) : each)
                .toList();
        blocks.add(new DocBlock(file, i + 2, fence.group(3), comment(above), inner));
        i = end;
        above = "";
        afterBlank = false;
        continue;
      }
      if (line.isBlank()) {
        afterBlank = true;
        continue;
      }
      if (afterBlank && !inList && line.startsWith(INDENT)) {
        int end = i;
        while (end < lines.size()
            && (lines.get(end).startsWith(INDENT) || lines.get(end).isBlank())) {
          end++;
        }
        List<String> inner =
            lines.subList(i, end).stream()
                .map(each -> each.isBlank() ? "" : each.substring(INDENT.length()))
                .toList();
        blocks.add(new DocBlock(file, i + 1, "", comment(above), inner));
        i = end - 1;
        above = "";
        continue;
      }
      inList = LIST.matcher(line).matches() || (inList && line.startsWith(" "));
      above = line;
      afterBlank = false;
    }
    return blocks;
  }

  private static String comment(String above) {
    Matcher comment = COMMENT.matcher(above.strip());
    return comment.matches() ? comment.group(1) : "";
  }

  String text() {
    return String.join("\n", lines).strip() + "\n";
  }

  /** {@return the file and line, as an editor opens it} */
  String place() {
    return ROOT.relativize(file) + ":" + line;
  }
}
