package io.probelet.monitor.source;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Turns records of the kernel into lines, and sees when some are missing (B-7). */
final class KmsgSink implements LineSource.Sink {
  private final LineSource.Sink lines;
  private final Instant stampsBegin;
  private KernelPlace place;

  /** Nothing but what was read before has come yet. */
  private boolean catchingUp = true;

  private boolean overlaps;

  /**
   * Creates a sink.
   *
   * @param stampsBegin what the kernel's stamps count from, on the wall clock
   * @param place how far an earlier reader has come
   */
  KmsgSink(LineSource.Sink lines, Instant stampsBegin, KernelPlace place) {
    this.lines = lines;
    this.stampsBegin = stampsBegin;
    this.place = place;
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
    if (catchingUp && place.covers(kernel)) {
      overlaps = true;
      return;
    }
    reportMissing(kernel);
    place = new KernelPlace(kernel.sequence(), kernel.micros());
    catchingUp = false; // a stand-in may count from zero again
    if (!kernel.message().isEmpty()) {
      Instant logged = stampsBegin.plus(kernel.micros(), ChronoUnit.MICROS);
      if (kernel.isWholeKernelRecord()) {
        lines.line(kernel.message(), logged);
      } else {
        lines.foreignLine(kernel.message(), logged);
      }
    }
  }

  /** A place without a number does not say how many are missing. */
  private void reportMissing(KmsgRecord next) {
    String why =
        catchingUp ? KernelPlace.OVERWRITTEN : "the kernel wrote faster than could be read";
    if (place.sequence() >= 0 && next.sequence() > place.sequence() + 1) {
      lines.gap(next.sequence() - place.sequence() - 1, why);
    } else if (place.sequence() < 0 && place.micros() >= 0 && !overlaps) {
      lines.gap(1, why);
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

  /** {@return how far the records have been read, here or by an earlier reader} */
  KernelPlace place() {
    return place;
  }
}
