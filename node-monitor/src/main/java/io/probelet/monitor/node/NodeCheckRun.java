package io.probelet.monitor.node;

import io.probelet.health.ConditionStatus;
import io.probelet.health.GoDuration;
import io.probelet.health.TimeSource;
import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.log.CleanText;
import io.probelet.monitor.rule.CheckRule;
import io.probelet.monitor.track.Coverage;
import io.probelet.monitor.track.Evidence;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One check, run after run: what each finds is reported as evidence, and so is no answer at all.
 */
final class NodeCheckRun {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCheckRun.class);

  /** What was reported may be taken up a little later, and its debounce counts from then. */
  private static final Duration TAKEN_UP = Duration.ofMillis(500);

  private final CheckRule rule;
  private final String ruleId;
  private final NodeCheck check;
  private final SourceStats stats;
  private final EvidenceSink sink;

  // Under this object's lock.
  private boolean closed;
  private long runs;
  private boolean underWay;
  private boolean hanging;
  private @Nullable ConditionStatus reported;

  NodeCheckRun(
      CheckRule rule, String ruleId, NodeCheck check, SourceStats stats, EvidenceSink sink) {
    this.rule = rule;
    this.ruleId = ruleId;
    this.check = check;
    this.stats = stats;
    this.sink = sink;
  }

  /** Has things done later, unless it is closed by then. */
  @FunctionalInterface
  interface Later {
    void run(Duration delay, Runnable task);
  }

  CheckRule rule() {
    return rule;
  }

  /** Begins a run, unless the one before has not come back. */
  void begin(Executor threads, Later later, TimeSource time) {
    long run;
    synchronized (this) {
      if (underWay) {
        return; // its timeout has reported, or is going to
      }
      underWay = true;
      run = ++runs;
    }
    try {
      threads.execute(() -> run(threads, later, time));
      later.run(rule.timeout(), () -> late(run));
    } catch (RejectedExecutionException closed) {
      LOG.debug("check={} is closed", rule.kind());
    } catch (OutOfMemoryError noThread) { // it says so of threads too; the next may get one
      synchronized (this) {
        underWay = false;
      }
      lost(CleanText.of(String.valueOf(noThread.getMessage())));
    }
  }

  /** Reports nothing any more. */
  synchronized void close() {
    closed = true;
  }

  private void run(Executor threads, Later later, TimeSource time) {
    long start = time.nanoTime();
    NodeCheckResult result;
    try {
      result = check.run();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      return;
    } catch (IOException unable) {
      result = new NodeCheckResult.Unknown(reason(unable));
    } catch (RuntimeException | Error bug) { // whatever it is, it has not hung
      LOG.error("check={} failed", rule.kind(), bug);
      result = new NodeCheckResult.Unknown(rule.kind() + " failed: " + bug);
    }
    boolean inTime;
    synchronized (this) {
      if (closed) {
        return; // what was cut short is no evidence, least of all for a monitor that runs now
      }
      inTime = !hanging;
      hanging = false;
      underWay = false;
    }
    stats.read();
    stats.took(time.nanoTime() - start);
    if (inTime) {
      report(result);
      runAgainInTime(result, threads, later, time);
    } else if (rule.kind().hangingIsAProblem()) {
      begin(threads, later, time); // it was reported to hang, which holds until another run
    }
  }

  /**
   * B-2: what is new counts if it is still so after its debounce, and another run has to say so.
   */
  private void runAgainInTime(
      NodeCheckResult result, Executor threads, Later later, TimeSource time) {
    Duration debounce = rule.consequence().patience().debounce();
    ConditionStatus status = status(result);
    boolean news;
    synchronized (this) {
      news = status != reported && status != ConditionStatus.UNKNOWN;
      reported = status;
    }
    if (news && debounce.isPositive()) {
      later.run(debounce.plus(TAKEN_UP), () -> begin(threads, later, time));
    }
  }

  private static ConditionStatus status(NodeCheckResult result) {
    return switch (result) {
      case NodeCheckResult.Ok() -> ConditionStatus.FALSE;
      case NodeCheckResult.Problem _ -> ConditionStatus.TRUE;
      case NodeCheckResult.Devices(_, String problem) ->
          problem.isEmpty() ? ConditionStatus.FALSE : ConditionStatus.TRUE;
      case NodeCheckResult.Unknown _ -> ConditionStatus.UNKNOWN;
    };
  }

  private void report(NodeCheckResult result) {
    switch (result) {
      case NodeCheckResult.Ok() -> report(status(result), "", Coverage.WHOLE);
      case NodeCheckResult.Problem(String message) ->
          report(status(result), message, Coverage.WHOLE);
      case NodeCheckResult.Devices(Set<String> well, String problem) ->
          report(status(result), problem, Coverage.of(well));
      case NodeCheckResult.Unknown(String why) -> lost(CleanText.of(why));
    }
  }

  private void report(ConditionStatus status, String problem, Coverage coverage) {
    if (stats.trouble("")) {
      LOG.info("check={} works again", rule.kind());
    }
    if (status == ConditionStatus.TRUE) {
      stats.matched();
    }
    sink.observe(ruleId, new Evidence.Reported(status, CleanText.of(problem), coverage));
  }

  /** Said once, until it is something else (B-5). */
  private void lost(String why) {
    if (stats.trouble(why)) {
      LOG.warn("check={} cannot be carried out: {}", rule.kind(), why);
    }
    sink.observe(ruleId, new Evidence.Lost(why));
  }

  private void late(long run) {
    synchronized (this) {
      if (closed || !underWay || runs != run) {
        return;
      }
      hanging = true;
    }
    stats.timedOut();
    String why = "no answer within " + GoDuration.format(rule.timeout());
    if (rule.kind().hangingIsAProblem()) {
      if (stats.trouble(why)) {
        LOG.warn("check={} hangs: {}", rule.kind(), why);
      }
      synchronized (this) {
        reported = ConditionStatus.TRUE;
      }
      sink.observe(ruleId, new Evidence.Hanging(why)); // NM-12: it hangs on, and is bad
    } else {
      lost(why);
    }
  }

  private String reason(IOException unable) {
    String message = String.valueOf(unable.getMessage());
    return switch (unable) {
      case AccessDeniedException _ ->
          message + ": permission denied; it takes " + rule.kind().needs();
      case NoSuchFileException _ -> message + ": there is no such file";
      default -> message;
    };
  }
}
