package io.probelet.document.tree;

import org.jspecify.annotations.Nullable;

/**
 * A position in a file.
 *
 * @param line 1 for the first, 0 if unknown
 * @param column 1 for the first character of the line, 0 if unknown
 * @param inText the position within the text of the value at this position, if its lines cannot be
 *     mapped to the file's; null otherwise
 */
public record Position(int line, int column, @Nullable Position inText)
    implements Comparable<Position> {
  /** The beginning of a file. */
  public static final Position START = new Position(1, 1);

  /** The unknown position, for values written by programs. */
  public static final Position UNKNOWN = new Position(0, 0);

  /**
   * Creates a position in the file itself.
   *
   * @param line 1 for the first
   * @param column 1 for the first character of the line
   */
  public Position(int line, int column) {
    this(line, column, null);
  }

  @Override
  public int compareTo(Position other) {
    int byLine = Integer.compare(line, other.line);
    if (byLine != 0) {
      return byLine;
    }
    int byColumn = Integer.compare(column, other.column);
    if (byColumn != 0 || inText == null || other.inText == null) {
      return byColumn;
    }
    return inText.compareTo(other.inText);
  }

  @Override
  public String toString() {
    return line + ":" + column;
  }
}
