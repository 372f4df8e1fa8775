package io.probelet.monitor.source;

import io.probelet.health.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/** Reads the kernel's messages from {@code /dev/kmsg} if it can be opened, else from the buffer. */
public final class KernelLog implements LineSource {

  private final Path device;
  private final boolean bufferFirst;
  private final KmsgSource messages;
  private final KernelBuffer whole;
  private final KernelBufferSource buffer;
  private volatile LineSource source;

  /**
   * Creates a source.
   *
   * @param device {@code /dev/kmsg}
   * @param stampsBegin the start of the kernel's timestamps, on the wall clock
   * @param position an earlier {@link #position} of the same boot; else empty
   */
  public KernelLog(Path device, Instant stampsBegin, String position, TimeSource time) {
    this(device, false, new SyslogCall(), stampsBegin, position, time);
  }

  KernelLog(
      Path device,
      boolean bufferFirst,
      KernelBuffer buffer,
      Instant stampsBegin,
      String position,
      TimeSource time) {
    this.device = device;
    this.bufferFirst = bufferFirst;
    messages = new KmsgSource(device, stampsBegin, position, time);
    whole = buffer;
    this.buffer = new KernelBufferSource(buffer, stampsBegin, position, time);
    source = messages;
  }

  /**
   * Creates a source that prefers the buffer, which is read as a whole: the device does not report
   * its end.
   *
   * @param device {@code /dev/kmsg}, used if the buffer cannot be read
   * @param stampsBegin the start of the kernel's timestamps, on the wall clock
   */
  public static KernelLog whole(Path device, Instant stampsBegin, TimeSource time) {
    return new KernelLog(device, true, new SyslogCall(), stampsBegin, "", time);
  }

  private boolean isWholeReadable() {
    try {
      return whole.size() > 0;
    } catch (IOException refused) {
      return false;
    }
  }

  @Override
  public void run(Sink sink) throws IOException, InterruptedException {
    if (!(bufferFirst && isWholeReadable()) && KmsgSource.opens(device)) {
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
              + " cannot be opened (requires a privileged container), and "
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
