package io.probelet.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rule book as its pages have it: a rule is where its number begins an item of a list, in bold,
 * or a row of a table.
 */
record RuleBook(List<Rule> rules) {

  private static final Set<String> PASSED_OVER = Set.of("target", ".git");

  private static final Pattern DEFINITION =
      Pattern.compile("(?m)^(?:- \\*\\*|\\| )([A-Z]+-[0-9]+)(?:\\*\\* | \\|)");

  private static final Pattern LITERAL =
      Pattern.compile(
          "(?s)//[^\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\])+'");

  private static final Pattern TAG = Pattern.compile("@\\w+");
  private static final Pattern WORD = Pattern.compile("[A-Za-z]{2,}");

  record Rule(String number, Path page) {

    String prefix() {
      return number.substring(0, number.indexOf('-'));
    }
  }

  static RuleBook of(Path folder) {
    return new RuleBook(
        files(folder, ".md")
            .flatMap(page ->
                DEFINITION
                    .matcher(text(page))
                    .results()
                    .map(result -> new Rule(result.group(1), page.getFileName())))
            .toList());
  }

  Set<String> numbers() {
    return rules.stream().map(Rule::number).collect(Collectors.toCollection(TreeSet::new));
  }

  /** What a number of this book looks like, known or not; its group 1 is the number alone. */
  Pattern citation() {
    String prefixes =
        rules.stream().map(Rule::prefix).distinct().sorted().collect(Collectors.joining("|"));
    return Pattern.compile("(?<![\\w-])((?:" + prefixes + ")-[0-9]+)(?![\\d-])");
  }

  Stream<String> citedIn(Path file) {
    return citedIn(text(file));
  }

  Stream<String> citedIn(String text) {
    return citation().matcher(text).results().map(result -> result.group(1));
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  /**
   * All files below a folder whose names end so, but for what is built or kept by Git meanwhile.
   */
  static Stream<Path> files(Path folder, String suffix) {
    Set<Path> found = new TreeSet<>();
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
              return PASSED_OVER.contains(each.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (file.toString().endsWith(suffix)) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream();
  }

  /** The comments of a Java source; lines of them that follow each other are one. */
  static Stream<String> comments(String java) {
    List<String> comments = new ArrayList<>();
    Matcher tokens = LITERAL.matcher(java);
    int end = -1;
    while (tokens.find()) {
      String token = tokens.group();
      if (!token.startsWith("/")) {
        continue;
      }
      boolean goesOn =
          token.startsWith("//") && end >= 0 && java.substring(end, tokens.start()).isBlank();
      if (goesOn && comments.getLast().startsWith("//")) {
        comments.add(comments.removeLast() + "\n" + token);
      } else {
        comments.add(token);
      }
      end = tokens.end();
    }
    return comments.stream();
  }

  /** Whether a comment cites rules and says nothing besides. */
  boolean bare(String comment) {
    Matcher citations = citation().matcher(comment);
    return citations.find()
        && !WORD.matcher(TAG.matcher(citations.replaceAll(" ")).replaceAll(" ")).find();
  }

  /** The texts between quotes in a Java source; comments and characters are none. */
  static Stream<String> literals(String java) {
    return LITERAL
        .matcher(java)
        .results()
        .map(MatchResult::group)
        .filter(token -> token.startsWith("\""));
  }
}
