package io.probelet.runtime.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.exec.ExecuteStreamHandler;

/**
 * Keeps the first bytes of what a command says and throws away the rest, so that it never waits.
 */
final class CappedOutput implements ExecuteStreamHandler {
  /**
   * How long the end of the output may be behind the end of the process. It is only waited for if a
   * descendant left the process group and kept the pipe, or if the reader is starved: cut short, it
   * would lose output that is there.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final int limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private InputStream source = InputStream.nullInputStream();
  private Thread reader = new Thread();

  CappedOutput(int limit) {
    this.limit = limit;
  }

  /** {@return what was kept so far, malformed UTF-8 replaced} */
  String text() {
    lock.lock();
    try {
      return kept.toString(StandardCharsets.UTF_8);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setProcessOutputStream(InputStream output) {
    source = output;
  }

  @Override
  public void setProcessErrorStream(InputStream empty) {
    // Standard error goes into standard output, where it keeps its place.
  }

  @Override
  public void setProcessInputStream(OutputStream gate) {
    // Belongs to the launcher, which has closed it.
  }

  @Override
  public void start() {
    InputStream from = source;
    // Not a virtual thread: reading a pipe holds its carrier, and with 256 of them held every
    // virtual thread in the agent stands still.
    reader = Thread.ofPlatform().daemon().name("exec-output").start(() -> drain(from));
  }

  @Override
  public void stop() {
    try {
      boolean _ = reader.join(PATIENCE);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  private void drain(InputStream from) {
    byte[] buffer = new byte[8192];
    try {
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        lock.lock();
        try {
          kept.write(buffer, 0, Math.min(read, limit - kept.size()));
        } finally {
          lock.unlock();
        }
      }
    } catch (IOException closed) {
      return; // by us, after the process ended: what was read until then is the output
    }
  }
}
