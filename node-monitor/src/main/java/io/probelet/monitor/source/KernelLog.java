package io.probelet.monitor.source;

import io.probelet.health.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/** The kernel's messages: from {@code /dev/kmsg} where it can be opened, else from the buffer. */
public final class KernelLog implements LineSource {

  private final Path device;
  private final KmsgSource messages;
  private final KernelBufferSource buffer;
  private volatile LineSource source;

  /**
   * Creates a source.
   *
   * @param device {@code /dev/kmsg}
   * @param boot when the machine was started, on the wall clock
   * @param position what {@link #position} said before, in the same boot; else empty
   * @param time the clocks to go by
   */
  public KernelLog(Path device, Instant boot, String position, TimeSource time) {
    this(device, new SyslogCall(), boot, position, time);
  }

  KernelLog(Path device, KernelBuffer buffer, Instant boot, String position, TimeSource time) {
    this.device = device;
    messages = new KmsgSource(device, boot, position, time);
    this.buffer = new KernelBufferSource(buffer, boot, position, time);
    source = messages;
  }

  @Override
  public void run(Sink sink) throws IOException, InterruptedException {
    if (KmsgSource.opens(device)) {
      source = messages;
      messages.run(sink);
      return;
    }
    source = buffer;
    try {
      buffer.run(sink);
    } catch (IOException failed) {
      throw new IOException(
          device
              + " cannot be opened, which takes a privileged container, and "
              + failed.getMessage(),
          failed);
    }
  }

  @Override
  public String position() {
    return source.position();
  }

  @Override
  public void close() {
    messages.close();
    buffer.close();
  }
}
