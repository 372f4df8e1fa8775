package io.probelet.monitor.source;

import io.probelet.health.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the kernel's messages from its buffer once a second, where {@code /dev/kmsg} cannot be
 * opened: only a privileged container can open devices of the host.
 */
final class KernelBufferSource implements LineSource {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** Usually enough for one second; otherwise the whole buffer is read. */
  private static final int END = 16 * 1024;

  /** The buffer's size does not include the prefixes of lines. */
  private static final int WITH_PREFIXES = 2;

  private static final int LARGEST = 64 << 20;
  private static final String LOST = "the kernel log overflowed or was cleared before it was read";

  /** In characters, give or take a line; the kernel's own limit is 8 KiB. */
  private static final int LONGEST_RECORD = 16 * 1024;

  private final KernelBuffer buffer;
  private final Instant stampsBegin;
  private final TimeSource time;
  private final Duration period;
  private final Pause pause = new Pause();
  private volatile String position;

  /**
   * Whether the kernel omits timestamps, by which the lines of a record are recognized. Text
   * that looks like a timestamp may then be a name.
   */
  private boolean untimed;

  /** The prefix of the newest reported line. */
  private String reported = "";

  KernelBufferSource(KernelBuffer buffer, Instant stampsBegin, String position, TimeSource time) {
    this(buffer, stampsBegin, position, time, PERIOD);
  }

  KernelBufferSource(
      KernelBuffer buffer, Instant stampsBegin, String position, TimeSource time, Duration period) {
    this.buffer = buffer;
    this.stampsBegin = stampsBegin;
    this.position = position;
    this.time = time;
    this.period = period;
  }

  @Override
  public void run(Sink sink) throws IOException, InterruptedException {
    int all = Math.clamp((long) buffer.size() * WITH_PREFIXES, END, LARGEST);
    BufferDiff diff = new BufferDiff(KernelPlace.parse(position).micros());
    List<BufferedRecord> first = read(all, sink);
    if (diff.overwrote(first)) {
      sink.gap(1, KernelPlace.OVERWRITTEN);
    }
    report(diff.byTime(first), diff, sink);
    sink.upToDate();
    while (pause.lasts(period)) {
      Optional<List<BufferedRecord>> news = diff.since(read(diff.wasEmpty() ? all : END, sink));
      if (news.isEmpty()) {
        news = diff.since(read(all, sink));
      }
      if (news.isEmpty()) {
        sink.gap(1, LOST);
      }
      report(news.isPresent() ? news.get() : diff.byTime(read(all, sink)), diff, sink);
    }
  }

  private List<BufferedRecord> read(int atMost, Sink sink) throws IOException {
    byte[] bytes = buffer.end(atMost);
    List<BufferedRecord> records = new ArrayList<>();
    new LogLineSplitter()
        .take(bytes, 0, bytes.length, line -> records.add(BufferedRecord.of(line)));
    if (!untimed && records.stream().anyMatch(line -> line.micros() < 0)) {
      untimed = true;
      sink.gap(
          1, "the kernel log has no timestamps (printk.time=0), so record boundaries are unknown");
    }
    return records;
  }

  private void report(List<BufferedRecord> news, BufferDiff diff, Sink sink) {
    for (int start = 0; start < news.size(); ) {
      int end = recordEnd(news, start);
      report(news.subList(start, end), sink);
      start = end;
    }
    position = diff.last() < 0 ? position : new KernelPlace(-1, diff.last()).toString();
  }

  /** The end of the record that begins there. */
  private static int recordEnd(List<BufferedRecord> lines, int start) {
    String prefix = lines.get(start).prefix();
    int end = start + 1;
    while (end < lines.size() && lines.get(end).continues(prefix)) {
      end++;
    }
    return end;
  }

  /** A newline in a record becomes a space, as with the device. */
  private void report(List<BufferedRecord> record, Sink sink) {
    BufferedRecord first = record.getFirst();
    boolean whole = !untimed && first.isKernelRecord() && !first.continues(reported);
    reported = first.prefix();
    StringBuilder joined = new StringBuilder();
    for (BufferedRecord line : record) {
      if (joined.length() < LONGEST_RECORD) {
        joined.append(joined.isEmpty() ? "" : " ").append(line.message());
      }
    }
    String message = joined.toString().strip();
    if (message.isEmpty()) {
      return;
    }
    Instant at =
        first.micros() < 0
            ? time.wallTime()
            : stampsBegin.plus(Duration.of(first.micros(), ChronoUnit.MICROS));
    if (whole) {
      sink.line(message, at);
    } else {
      sink.foreignLine(message, at);
    }
  }

  @Override
  public String position() {
    return position;
  }

  @Override
  public void close() {
    pause.close();
  }
}
