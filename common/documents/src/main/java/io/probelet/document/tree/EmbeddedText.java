package io.probelet.document.tree;

import java.util.List;

/**
 * Maps lines of an embedded text to lines of the file. Works for block scalars and for quoted text
 * on one line without escapes; otherwise the position is that of the scalar, plus the position in
 * the text.
 */
final class EmbeddedText implements Locator {
  private final Position scalar;
  private final List<String> text;
  private final Source source;

  EmbeddedText(Node.Scalar scalar, Source source) {
    this.scalar = scalar.at();
    this.text = scalar.text().lines().toList();
    this.source = source;
  }

  @Override
  public Position locate(int line, int column) {
    if (text.isEmpty()) {
      return scalar;
    }
    int wanted = Math.min(line, text.size());
    String content = text.get(wanted - 1);
    int inBlock = scalar.line() + wanted;
    if (!content.isBlank() && source.line(inBlock).strip().equals(content.strip())) {
      int moved = indentation(source.line(inBlock)) - indentation(content);
      return new Position(inBlock, column + moved);
    }
    int inLine = source.line(scalar.line()).indexOf(content, scalar.column() - 1);
    if (text.size() == 1 && inLine >= 0) {
      return new Position(scalar.line(), column + inLine);
    }
    return new Position(scalar.line(), scalar.column(), new Position(line, column));
  }

  private static int indentation(String line) {
    return line.length() - line.stripLeading().length();
  }
}
