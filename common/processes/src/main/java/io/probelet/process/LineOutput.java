package io.probelet.process;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Passes on output line by line, without line ends, with malformed UTF-8 replaced. Not thread-safe.
 */
public final class LineOutput extends OutputStream {
  private final int maxLength;
  private final Consumer<String> each;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean begun;

  /**
   * Creates an output at the beginning of a line.
   *
   * @param maxLength in bytes, 1 or more; longer lines are truncated
   * @param each receives the lines
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

  /** Passes on a last line without line end. */
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
