package io.probelet.monitor.plugin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import org.apache.commons.exec.ExecuteStreamHandler;

/** Keeps the beginning of both streams and throws away the rest, so that nobody waits. */
final class PluginOutput implements ExecuteStreamHandler {
  private static final int KEPT_BYTES = 4096;

  /** A descendant that left the process group may keep a stream open for good. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final Stream out = new Stream();
  private final Stream err = new Stream();

  /** {@return the first bytes of standard output} */
  byte[] out() {
    return out.bytes();
  }

  /** {@return the first bytes of standard error} */
  byte[] err() {
    return err.bytes();
  }

  @Override
  public void setProcessInputStream(OutputStream input) throws IOException {
    input.close();
  }

  @Override
  public void setProcessOutputStream(InputStream output) {
    out.source = output;
  }

  @Override
  public void setProcessErrorStream(InputStream error) {
    err.source = error;
  }

  @Override
  public void start() {
    out.start();
    err.start();
  }

  @Override
  public void stop() {
    out.stop();
    err.stop();
  }

  private static final class Stream {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private InputStream source = InputStream.nullInputStream();
    private Thread reader = new Thread();

    void start() {
      InputStream from = source;
      // Reading a pipe holds the carrier of a virtual thread.
      reader = Thread.ofPlatform().daemon().name("plugin-output").start(() -> drain(from));
    }

    void stop() {
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
          keep(buffer, read);
        }
      } catch (IOException closed) {
        return; // by the end of the process: what was read until then is the output
      }
    }

    private synchronized void keep(byte[] buffer, int length) {
      kept.write(buffer, 0, Math.min(length, KEPT_BYTES - kept.size()));
    }

    synchronized byte[] bytes() {
      return kept.toByteArray();
    }
  }
}
