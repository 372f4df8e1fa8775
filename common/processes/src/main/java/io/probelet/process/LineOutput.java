package io.probelet.process;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Hands over output line by line, without line ends, malformed UTF-8 replaced. Used by one thread.
 */
public final class LineOutput extends OutputStream {
  private final int maxLength;
  private final Consumer<String> each;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean begun;

  /**
   * Creates one at the beginning of a line.
   *
   * @param maxLength in bytes, 1 or more; the rest of a longer line is thrown away
   * @param each takes the lines
   */
  public LineOutput(int maxLength, Consumer<String> each) {
    this.maxLength = maxLength;
    this.each = each;
  }

  @Override
  public void write(int single) {
    if (single == '\n') {
      handOver();
    } else {
      begun = true;
      if (line.size() < maxLength) {
        line.write(single);
      }
    }
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    for (int at = from; at < from + length; at++) {
      write(bytes[at]);
    }
  }

  /** Hands over a last line that has no end. */
  @Override
  public void close() {
    if (begun) {
      handOver();
    }
  }

  private void handOver() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    begun = false;
    each.accept(text);
  }
}
