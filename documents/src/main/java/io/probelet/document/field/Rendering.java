package io.probelet.document.field;

import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import io.probelet.document.tree.ScalarType;
import io.probelet.health.ShortText;
import org.jspecify.annotations.Nullable;

/** Values as messages show them: on one line, text in quotes, long ones cut. */
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

  /** Returns the text with what is not printable escaped as Java would. */
  static String onOneLine(String text) {
    StringBuilder line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        default -> {
          if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
            line.append("\\u%04x".formatted((int) c));
          } else {
            line.append(c);
          }
        }
      }
    }
    return line.toString();
  }

  private static String cut(String text) {
    return ShortText.of(text, LONGEST);
  }
}
