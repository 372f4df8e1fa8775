package io.probelet.document.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Splits a YAML stream at its {@code ---} lines before parsing, as kubectl does, so that a syntax
 * error affects one document only.
 */
final class DocumentSplitter {
  private static final Pattern MARKER = Pattern.compile("---(?:[ \\t].*)?");
  private static final Pattern BLANK_COMMENT_OR_DIRECTIVE = Pattern.compile("\\s*(?:#.*)?|%.*");

  private DocumentSplitter() {}

  /**
   * The text of one document, including its marker.
   *
   * @param firstLine number of its first line in the file
   */
  record Part(String text, int firstLine) {
    Document read(int number, int mostValues) {
      Locator locator = (line, column) -> new Position(line + firstLine - 1, column);
      return new TreeBuilder(new YamlEvents(text, locator), mostValues).build(number);
    }
  }

  /** Returns the documents; text without a marker and without a value is not a document. */
  static List<Part> split(String text) {
    List<Part> parts = new ArrayList<>();
    boolean document = false;
    int begin = 0;
    int firstLine = 1;
    int lineNumber = 0;
    int next;
    for (int at = 0; at < text.length(); at = next) {
      next = endOfLine(text, at);
      String line = text.substring(at, next).stripTrailing();
      lineNumber++;
      if (MARKER.matcher(line).matches()) {
        if (document) {
          parts.add(new Part(text.substring(begin, at), firstLine));
        }
        begin = at;
        firstLine = lineNumber;
        document = true;
      }
      document |= !BLANK_COMMENT_OR_DIRECTIVE.matcher(line).matches();
    }
    if (document) {
      parts.add(new Part(text.substring(begin), firstLine));
    }
    return parts;
  }

  private static int endOfLine(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
      at++;
    }
    return text.startsWith("\r\n", at) ? at + 2 : Math.min(at + 1, text.length());
  }
}
