package io.probelet.monitor.source;

import java.io.IOException;
import java.time.Instant;

/** A regular file that stands in for the kernel's messages, with or without their prefixes. */
public final class KmsgFile implements LineSource {
  private final FileSource file;
  private final Instant boot;

  /**
   * Creates a source.
   *
   * @param file follows the file; closed with this source
   * @param boot when the machine was started, on the wall clock
   */
  public KmsgFile(FileSource file, Instant boot) {
    this.file = file;
    this.boot = boot;
  }

  @Override
  public void run(Sink sink) throws IOException, InterruptedException {
    file.run(new KmsgSink(sink, boot, -1));
  }

  @Override
  public String position() {
    return file.position();
  }

  @Override
  public void close() {
    file.close();
  }
}
