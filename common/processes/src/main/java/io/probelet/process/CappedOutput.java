package io.probelet.process;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps the first bytes and drops the rest. May be read while it is being written. */
public final class CappedOutput extends OutputStream {
  private final int limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

  /**
   * Creates an empty output.
   *
   * @param limit the most bytes kept, 0 or more
   */
  public CappedOutput(int limit) {
    this.limit = limit;
  }

  @Override
  public void write(int single) {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    lock.lock();
    try {
      kept.write(bytes, from, Math.min(length, limit - kept.size()));
    } finally {
      lock.unlock();
    }
  }

  /** {@return the bytes kept so far as text, with malformed UTF-8 replaced} */
  public String text() {
    lock.lock();
    try {
      return kept.toString(StandardCharsets.UTF_8);
    } finally {
      lock.unlock();
    }
  }
}
