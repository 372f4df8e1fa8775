package io.probelet.monitor.evidence;

import io.probelet.health.TimeSource;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.log.LineFormat;
import io.probelet.monitor.log.LogMatcher;
import io.probelet.monitor.node.Boot;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Monitor.LogRule;
import io.probelet.monitor.source.KernelLog;
import io.probelet.monitor.source.KmsgSource;
import io.probelet.monitor.source.LineSource;
import io.probelet.monitor.source.Lookback;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The kernel's messages; those that match a built-in rule go into the digest. */
record KernelLogPart(Path device, Machine machine) implements EvidenceCollector {
  private static final int LINES_OF_ONE = 1;

  /** Marks a line that a program wrote to the kernel's log. */
  private static final String FOREIGN = "(not from the kernel) ";

  /** After this time without a line, all have been read. */
  private static final Duration QUIET = Duration.ofMillis(500);

  @Override
  public void collect(EvidenceOutput out) throws IOException, InterruptedException {
    try (LineSource source = source()) {
      source.run(new Lines(source, out));
    }
  }

  private LineSource source() {
    Instant boot = Boot.stampsBegin(machine);
    TimeSource time = machine.time();
    return device.equals(LogInput.Kmsg.DEVICE)
        ? KernelLog.whole(device, boot, time)
        : KmsgSource.of(device, boot, Lookback.all(), "", time);
  }

  private static List<LogRule> rules() {
    return DefaultMonitors.with(List.of()).stream()
        .flatMap(KernelLogPart::ofTheKernel)
        .flatMap(log -> log.rules().stream())
        .toList();
  }

  private static Stream<Monitor.Log> ofTheKernel(Monitor monitor) {
    return monitor instanceof Monitor.Log log && log.input() instanceof LogInput.Kmsg
        ? Stream.of(log)
        : Stream.empty();
  }

  /** Takes lines until all existing ones have been read. */
  private static final class Lines implements LineSource.Sink, LogMatcher.Listener {
    private final LineSource source;
    private final EvidenceOutput out;
    private final AtomicLong lines = new AtomicLong();
    private final CountDownLatch never = new CountDownLatch(1);
    private final LogMatcher matcher = new LogMatcher(rules(), LINES_OF_ONE, LineFormat.PLAIN);

    Lines(LineSource source, EvidenceOutput out) {
      this.source = source;
      this.out = out;
    }

    @Override
    public void line(String text, Instant at) {
      lines.incrementAndGet();
      out.line(at + " " + text);
      matcher.take(text, at, this);
    }

    @Override
    public void foreignLine(String text, Instant at) {
      lines.incrementAndGet();
      out.line(at + " " + FOREIGN + text); // it is not evidence
    }

    /** A device does not report its end; a source assumes it after a pause. */
    @Override
    public void upToDate() {
      try {
        long before;
        do {
          before = lines.get();
        } while (!never.await(QUIET.toNanos(), TimeUnit.NANOSECONDS) && lines.get() != before);
      } catch (InterruptedException late) {
        Thread.currentThread().interrupt();
      }
      source.close();
    }

    @Override
    public void gap(long lines, String why) {
      out.missing(why);
    }

    @Override
    public void matched(int rule, String text, String device, Instant at) {
      out.highlight(at.truncatedTo(ChronoUnit.SECONDS) + " " + text);
    }

    @Override
    public void cleared(int rule, String device, Instant at) {
      // evidence includes problems that are over
    }

    @Override
    public void unread(String why) {
      // every kernel line is an entry
    }
  }
}
