package io.probelet.process;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The standard output of a {@link RootCommand}. Its first byte comes from the JVM that becomes the
 * program, right before that; the rest is the program's. The program's timeout can then begin with
 * the program.
 */
public final class RootOutput extends OutputStream {
  /** The first byte; its value has no meaning. */
  static final int BEGINS = '\n';

  private final OutputStream rest;
  private final CountDownLatch begun = new CountDownLatch(1);

  /**
   * Creates the output of one process.
   *
   * @param rest receives the program's output
   */
  public RootOutput(OutputStream rest) {
    this.rest = rest;
  }

  @Override
  public void write(int single) throws IOException {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    if (length == 0) {
      return;
    }
    int skipped = begun.getCount() > 0 ? 1 : 0;
    begun.countDown();
    rest.write(bytes, from + skipped, length - skipped);
  }

  /** Also ends the wait for a program that the process never became. */
  @Override
  public void close() throws IOException {
    begun.countDown();
    rest.close();
  }

  /**
   * Waits until the program begins, or the process has ended.
   *
   * @param most longest wait
   * @return false if neither happened in time
   */
  public boolean awaitBegin(Duration most) throws InterruptedException {
    return begun.await(most.toNanos(), TimeUnit.NANOSECONDS);
  }
}
