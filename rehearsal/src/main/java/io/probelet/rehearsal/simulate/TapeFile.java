package io.probelet.rehearsal.simulate;

import io.probelet.health.FailureReason;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * A tape that is being written: a new file of limited size. Each line is written immediately, so
 * that a tape that ends early is complete up to that point. Used by one thread at a time.
 */
public final class TapeFile implements Consumer<String>, AutoCloseable {
  /** Room for the line that ends a tape. */
  private static final long RESERVE = 1024;

  private final BufferedWriter out;
  private final long maxBytes;
  private final Runnable full;
  private long bytes;
  private boolean refusing;

  /**
   * Creates the file.
   *
   * @param file must not exist
   * @param maxBytes maximum size in bytes
   * @param full called once, when a line did not fit or could not be written
   * @throws IOException if it exists or cannot be created
   */
  public TapeFile(Path file, long maxBytes, Runnable full) throws IOException {
    this.out = Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
    this.maxBytes = maxBytes;
    this.full = full;
  }

  /**
   * Writes a line. After a line that did not fit, only the line that ends the tape is written:
   * further changes would describe a wrong state.
   */
  @Override
  public void accept(String line) {
    int length = line.getBytes(StandardCharsets.UTF_8).length + 1;
    boolean end = line.endsWith("\"end\":true}");
    if (!end && (refusing || bytes + length > maxBytes - RESERVE)) {
      refuse();
      return;
    }
    try {
      out.write(line);
      out.write('\n');
      out.flush();
      bytes += length;
    } catch (IOException e) {
      refuse();
      throw new UncheckedIOException("the tape cannot be written: " + FailureReason.of(e), e);
    }
  }

  private void refuse() {
    if (!refusing) {
      refusing = true;
      full.run();
    }
  }

  /** {@return whether a line was dropped} */
  public boolean isCutOff() {
    return refusing;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
