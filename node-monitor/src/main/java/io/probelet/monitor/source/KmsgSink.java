package io.probelet.monitor.source;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Turns records of the kernel into lines, and sees when some are missing (B-7). */
final class KmsgSink implements LineSource.Sink {
  private static final long NONE = -1;

  private final LineSource.Sink lines;
  private final Instant boot;
  private volatile long last = NONE;
  private long skipTo;

  /**
   * Creates a sink.
   *
   * @param boot when the machine was started, on the wall clock
   * @param skipTo the sequence number of the last record that is known already, or -1
   */
  KmsgSink(LineSource.Sink lines, Instant boot, long skipTo) {
    this.lines = lines;
    this.boot = boot;
    this.skipTo = skipTo;
  }

  @Override
  public void line(String text, Instant at) {
    if (text.startsWith(" ")) {
      return; // what the record before is about, as key and value
    }
    Optional<KmsgRecord> parsed = KmsgRecord.parse(text);
    if (parsed.isEmpty()) {
      String message = text.strip();
      if (!message.isEmpty()) {
        lines.line(message, at); // a stand-in may hold bare messages
      }
      return;
    }
    KmsgRecord kernel = parsed.get();
    if (kernel.sequence() <= skipTo) {
      return;
    }
    long before = Math.max(last, skipTo);
    if (before != NONE && kernel.sequence() > before + 1) {
      lines.gap(kernel.sequence() - before - 1, "the kernel wrote faster than could be read");
    }
    last = kernel.sequence();
    skipTo = NONE; // a stand-in may count from zero again
    if (!kernel.message().isEmpty()) {
      Instant logged = boot.plus(kernel.micros(), ChronoUnit.MICROS);
      if (kernel.isWholeKernelRecord()) {
        lines.line(kernel.message(), logged);
      } else {
        lines.foreignLine(kernel.message(), logged);
      }
    }
  }

  @Override
  public void foreignLine(String text, Instant at) {
    lines.foreignLine(text, at);
  }

  @Override
  public void upToDate() {
    lines.upToDate();
  }

  @Override
  public void gap(long count, String why) {
    lines.gap(count, why);
  }

  /** {@return the number of the newest record, be it known already, or -1} */
  long last() {
    return Math.max(last, skipTo);
  }
}
