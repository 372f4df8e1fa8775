package io.probelet.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.exec.ExecuteStreamHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The three streams of a process. PumpStreamHandler is not used: it cannot write before it closes
 * the input, and if a descendant keeps the output open it fails with an exception, two seconds too
 * late.
 */
final class GroupStreams implements ExecuteStreamHandler {
  private static final Logger LOG = LoggerFactory.getLogger(GroupStreams.class);

  /**
   * How long the output may end after the process. This wait occurs only if a descendant left the
   * process group and kept the pipe, or if the reader is starved: without it, existing output would
   * be lost.
   */
  private static final Duration DRAIN = Duration.ofSeconds(2);

  private final ProcessOutput output;
  private final Runnable atExit;
  private final CountDownLatch unread;
  private OutputStream input = OutputStream.nullOutputStream();
  private @Nullable Pump out;
  private @Nullable Pump err;

  /**
   * Creates the streams of one process.
   *
   * @param atExit called when the leader has ended, before waiting for the end of the output
   */
  GroupStreams(ProcessOutput output, Runnable atExit) {
    this.output = output;
    this.atExit = atExit;
    unread = new CountDownLatch((output.out() == null ? 0 : 1) + (output.err() == null ? 0 : 1));
  }

  @Override
  public void setProcessInputStream(OutputStream stream) {
    input = stream;
  }

  @Override
  public void setProcessOutputStream(InputStream stream) throws IOException {
    out = pump(stream, output.out());
  }

  @Override
  public void setProcessErrorStream(InputStream stream) throws IOException {
    err = pump(stream, output.err());
  }

  private @Nullable Pump pump(InputStream from, @Nullable OutputStream to) throws IOException {
    if (to == null) {
      from.close();
      return null;
    }
    return new Pump(from, to, unread);
  }

  /**
   * Starts nothing yet: if no thread can be created, nobody could kill the process at this point.
   */
  @Override
  public void start() {}

  /**
   * Begins to read, and closes the input.
   *
   * @param waits whether the process first waits for a line
   */
  void open(boolean waits) {
    if (out != null && !output.readByCaller()) {
      out.start();
    }
    if (err != null) {
      err.start();
    }
    try (OutputStream line = input) {
      if (waits) {
        line.write('\n');
      }
    } catch (IOException ended) {
      LOG.debug("process ended before it could start: {}", ended.getMessage());
    }
  }

  void readOutput() {
    if (out != null) {
      out.run();
    }
  }

  @Override
  public void stop() {
    atExit.run();
    try {
      boolean _ = unread.await(DRAIN.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException ignored) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads one stream to its end. */
  private record Pump(InputStream from, OutputStream to, CountDownLatch unread)
      implements Runnable {
    /**
     * Not a virtual thread: reading a pipe blocks its carrier, and with 256 blocked carriers all
     * virtual threads stall.
     */
    void start() {
      Thread.ofPlatform().daemon().name("process-output").start(this);
    }

    /** If the receiver of the output fails, the pipe is closed. */
    @Override
    public void run() {
      byte[] buffer = new byte[8192];
      try (from;
          to) {
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
          to.write(buffer, 0, read);
        }
      } catch (IOException closed) {
        return; // closed by us after the process ended: the output read so far is complete
      } finally {
        unread.countDown();
      }
    }
  }
}
