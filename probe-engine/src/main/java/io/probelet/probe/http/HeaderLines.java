package io.probelet.probe.http;

import org.jspecify.annotations.Nullable;

/**
 * Reads header lines byte by byte up to the empty line that ends them. A line is complete only when
 * the next one begins, as that may go on with it.
 */
final class HeaderLines {
  private final LineBuffer line;
  private HeaderBlock block = new HeaderBlock();
  private @Nullable String fault;

  /** Reads into a buffer that others may use before and after. */
  HeaderLines(LineBuffer line) {
    this.line = line;
  }

  /** {@return what the lines said} */
  HeaderBlock block() {
    return block;
  }

  /** {@return what is wrong with a line, or null} */
  @Nullable String fault() {
    return fault;
  }

  /** Forgets all lines. */
  void restart() {
    block = new HeaderBlock();
  }

  /**
   * Takes the next byte.
   *
   * @return whether the lines end with it, by the empty one or by a fault
   */
  boolean add(byte next) {
    boolean blank = next == ' ' || next == '\t';
    if (line.ended()) {
      if (blank) {
        line.fold(); // an obsolete way to go on with the header above
        return false;
      }
      fault = block.add(line);
      line.clear();
    } else if (blank && line.isEmpty()) {
      fault = "malformed MIME header initial line";
    }
    if (fault != null) {
      return true;
    }
    if (line.add(next) && line.isEmpty()) {
      line.clear();
      return true;
    }
    return false;
  }
}
