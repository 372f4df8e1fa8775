package io.probelet.monitor.node;

import io.probelet.health.RetryBackoff;
import io.probelet.health.TimeSource;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.log.LineFormat;
import io.probelet.monitor.log.LogMatcher;
import io.probelet.monitor.node.SourceView.SourceStats;
import io.probelet.monitor.node.Watch.CheckStarter;
import io.probelet.monitor.node.Watch.EvidenceSink;
import io.probelet.monitor.rule.CheckKind;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.source.LineSource;
import io.probelet.monitor.source.Pause;
import io.probelet.monitor.track.Evidence;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one log until closed, matches its lines, and retries after failures. */
final class LogWatch implements Watch {
  private static final Logger LOG = LoggerFactory.getLogger(LogWatch.class);
  private static final RetryBackoff BACKOFF =
      RetryBackoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private final Monitor.Log monitor;
  private final List<NamedRule> rules;
  private final LineSource source;
  private final LogMatcher matcher;
  private final OomVictims oom;
  private final boolean kernelOnly;
  private final CheckStarter checks;
  private final LineAge age;
  private final EvidenceSink sink;
  private final SourceStats stats;
  private final Pause pause = new Pause();
  private volatile Duration retry = BACKOFF.initial();

  LogWatch(
      Monitor.Log monitor,
      List<NamedRule> rules,
      LineSource source,
      LineFormat format,
      LineAge age,
      OomVictims oom,
      EvidenceSink sink,
      CheckStarter checks,
      SourceStats stats) {
    this.monitor = monitor;
    this.rules = rules;
    this.source = source;
    this.matcher = new LogMatcher(monitor.rules(), monitor.bufferSize(), format);
    this.oom = oom;
    this.checks = checks;
    kernelOnly = monitor.input() instanceof LogInput.Kmsg(_, boolean only) && only;
    this.age = age;
    this.sink = sink;
    this.stats = stats;
  }

  @Override
  public void start(TimeSource time) {
    // Reading devices and files blocks the carrier of a virtual thread.
    time.threads().ofPlatform().name("log-" + monitor.source()).start(() -> run(time));
  }

  private void run(TimeSource time) {
    try {
      String news = readUntilItFails();
      while (pause.lasts(retry, time.threads())) {
        // Logged only now: if journalctl ends because Probelet ends (Ctrl-C), that is no failure.
        if (!news.isEmpty()) {
          LOG.warn("cannot read log, retrying monitor={} reason=\"{}\"", monitor.source(), news);
        }
        news = readUntilItFails();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the problem if it is new, else an empty text. */
  private String readUntilItFails() throws InterruptedException {
    try {
      source.run(new Lines());
      return "";
    } catch (IOException failed) {
      String why = String.valueOf(failed.getMessage());
      Optional<Obstacle> obstacle = Obstacle.in(failed);
      return obstacle.isPresent()
          ? lost(why, stats.unavailable(obstacle.get(), why), new Evidence.Unavailable(why))
          : lost(why, stats.failing(why), new Evidence.Lost(why));
    } catch (RuntimeException bug) { // else reading would stop silently
      LOG.error("internal error while reading log, retrying monitor={}", monitor.source(), bug);
      String why = "internal error: " + bug;
      return lost(why, stats.failing(why), new Evidence.Lost(why));
    }
  }

  private String lost(String why, boolean news, Evidence evidence) {
    if (pause.isClosed()) {
      return ""; // a read interrupted by closing is no evidence
    }
    rules.forEach(rule -> sink.observe(rule.id(), evidence)); // B-5: nothing is known now
    retry = BACKOFF.after(retry); // B-7: back off while it fails
    return news ? why : "";
  }

  @Override
  public String position() {
    return source.position();
  }

  @Override
  public List<SourceView> stats() {
    return List.of(stats.view());
  }

  @Override
  public void close() {
    pause.close();
    source.close();
  }

  private final class Lines implements LineSource.Sink, LogMatcher.Listener {
    /** The kernel record being matched; empty if there is none. */
    private String record = "";

    @Override
    public void line(String text, Instant at) {
      stats.read();
      record = text;
      oom.take(text);
      match(text, at);
    }

    @Override
    public void foreignLine(String text, Instant at) {
      stats.read();
      record = "";
      if (!kernelOnly) { // otherwise it is not evidence
        match(text, at);
      }
    }

    private void match(String text, Instant at) {
      if (matcher.take(text, at, this)) {
        stats.matched();
      }
    }

    @Override
    public void matched(int rule, String text, String device, Instant at) {
      if (isOfNow(at)) {
        sink.observe(
            rules.get(rule).id(), new Evidence.Matched(text, oom.of(record).orElse(null), device));
        Set<CheckKind> runs = monitor.rules().get(rule).runs();
        if (!runs.isEmpty()) {
          checks.run(runs);
        }
      }
    }

    @Override
    public void cleared(int rule, String device, Instant at) {
      if (isOfNow(at)) { // an old clear line clears nothing
        sink.observe(rules.get(rule).id(), new Evidence.Cleared(device));
      }
    }

    /** old lines are counted, and the first is logged. */
    private boolean isOfNow(Instant at) {
      boolean counts = age.counts(at);
      if (!counts && stats.tooOld()) {
        LOG.info(
            "matching line ignored, older than lookback or within delay; further ones are only"
                + " counted monitor={} time={}",
            monitor.source(),
            at);
      }
      return counts;
    }

    @Override
    public void unread(String why) {
      if (stats.unread()) { // the only hint if the monitor does not fit the file
        LOG.warn(
            "unparseable line; further ones are only counted monitor={} reason=\"{}\"",
            monitor.source(),
            Evidence.text(why));
      }
    }

    @Override
    public void upToDate() {
      if (stats.running()) {
        LOG.info("log readable again monitor={}", monitor.source());
      }
      retry = BACKOFF.initial();
      age.readLive();
      rules.forEach(rule -> sink.observe(rule.id(), new Evidence.Watching()));
    }

    @Override
    public void gap(long lines, String why) {
      stats.lost(lines);
      LOG.warn("log lines lost monitor={} lines={} reason=\"{}\"", monitor.source(), lines, why);
    }
  }

  /**
   * Decides which lines of a log are too old to count. A line's time matters only if the line
   * was present when reading began. Lines read live count as current whatever their time: kernel
   * timestamps fall behind when the machine is suspended, and those of every log when the clock is
   * set. For live lines only the delay after the boot counts.
   */
  static final class LineAge {
    private final Instant notBefore;
    private final TimeSource time;
    private final long delayEnd;
    private volatile boolean live;

    /**
     * Creates an instance for a log before reading begins.
     *
     * @param notBefore older lines are too old
     * @param delay the time from now in which no line counts; zero or less for no delay
     */
    LineAge(Instant notBefore, Duration delay, TimeSource time) {
      this.notBefore = notBefore;
      this.time = time;
      delayEnd = time.nanoTime() + Math.max(0, delay.toNanos());
    }

    /** All existing lines have been read; this remains true when reading restarts. */
    void readLive() {
      live = true;
    }

    /** {@return whether a line with that timestamp counts} */
    boolean counts(Instant logged) {
      return live ? time.nanoTime() - delayEnd >= 0 : !logged.isBefore(notBefore);
    }
  }
}
