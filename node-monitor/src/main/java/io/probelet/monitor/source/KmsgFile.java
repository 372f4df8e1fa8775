package io.probelet.monitor.source;

import java.io.IOException;
import java.time.Instant;

/** A regular file that stands in for the kernel's messages, with or without their prefixes. */
public final class KmsgFile implements LineSource {
  private final FileSource file;
  private final Instant stampsBegin;

  /**
   * Creates a source.
   *
   * @param file follows the file; closed with this source
   * @param stampsBegin what the kernel's stamps count from, on the wall clock
   */
  public KmsgFile(FileSource file, Instant stampsBegin) {
    this.file = file;
    this.stampsBegin = stampsBegin;
  }

  @Override
  public void run(Sink sink) throws IOException, InterruptedException {
    file.run(new KmsgSink(sink, stampsBegin, KernelPlace.NONE));
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
