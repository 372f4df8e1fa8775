package io.probelet.document.field;

import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import io.probelet.document.tree.ScalarType;
import io.probelet.health.ShortText;
import org.jspecify.annotations.Nullable;

/** Formats values for messages: on one line, text in quotes, truncated. */
final class Rendering {
  private static final int LONGEST = 100;

  private Rendering() {}

  static String of(@Nullable Node value) {
    return switch (value) {
      case null -> "null";
      case Scalar scalar when scalar.type() == ScalarType.STRING -> quoted(scalar.text());
      case Scalar scalar -> cut(scalar.text());
      case Sequence list -> list.items().isEmpty() ? "[]" : "[…]";
      case Mapping mapping -> mapping.entries().isEmpty() ? "{}" : "{…}";
    };
  }

  static String quoted(String text) {
    return '"' + onOneLine(cut(text).replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }

  /** Returns the text with unprintable characters escaped as in Java. */
  static String onOneLine(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            case '\t' -> line.append("\\t");
            default -> {
              if (isPrintable(c)) {
                line.appendCodePoint(c);
              } else {
                line.append("\\u%04x".formatted(c));
              }
            }
          }
        });
    return line.toString();
  }

  /** Excludes control characters, line ends and bidirectional controls. */
  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static String cut(String text) {
    return ShortText.of(text, LONGEST);
  }
}
