package io.probelet.monitor.node;

import io.probelet.health.ConditionStatus;
import io.probelet.health.GoDuration;
import io.probelet.health.TimeSource;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.node.SourceView.SourceStats;
import io.probelet.monitor.node.Watch.EvidenceSink;
import io.probelet.monitor.rule.Monitor.CheckRule;
import io.probelet.monitor.track.Evidence;
import io.probelet.monitor.track.Evidence.Coverage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs of one check. Reports each result, or a timeout, as evidence. */
final class NodeCheckRun {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCheckRun.class);

  /** The most volumes logged per run; a pod may have many. */
  private static final int MAX_VOLUMES = 20;

  private final CheckRule rule;
  private final String ruleId;
  private final NodeCheck check;
  private final SourceStats stats;
  private final EvidenceSink sink;

  // Guarded by this object's lock.
  private boolean closed;
  private CheckProgress progress = CheckProgress.NONE;

  /** Already logged; used by one run at a time. */
  private volatile Set<String> volumes = Set.of();

  NodeCheckRun(
      CheckRule rule, String ruleId, NodeCheck check, SourceStats stats, EvidenceSink sink) {
    this.rule = rule;
    this.ruleId = ruleId;
    this.check = check;
    this.stats = stats;
    this.sink = sink;
  }

  /** Schedules tasks, which do not run after closing. */
  @FunctionalInterface
  interface Later {
    /** Returns a task that cancels it. */
    Runnable run(Duration delay, Runnable task);
  }

  CheckRule rule() {
    return rule;
  }

  /** Begins a run unless the previous one has not finished; returns whether it did. */
  boolean begin(Executor threads, Later later, TimeSource time) {
    long run;
    synchronized (this) {
      if (progress.underWay()) {
        return false; // its timeout has been or will be reported
      }
      progress = progress.begun();
      run = progress.run();
    }
    // Set before the run, so that its end can cancel the timeout.
    Runnable inTime = later.run(rule.timeout(), () -> late(run));
    try {
      threads.execute(() -> run(inTime, threads, later, time));
    } catch (RejectedExecutionException closed) {
      inTime.run();
      LOG.debug("check closed check={}", rule.kind());
    } catch (
        OutOfMemoryError
            noThread) { // also thrown if no thread can be created; a later run may get one
      inTime.run();
      synchronized (this) {
        progress = progress.notBegun();
      }
      lost(Evidence.text(String.valueOf(noThread.getMessage())));
    }
    return true;
  }

  /** Stops reporting. */
  synchronized void close() {
    closed = true;
  }

  private void run(Runnable inTime, Executor threads, Later later, TimeSource time) {
    long start = time.nanoTime();
    NodeCheckResult result;
    try {
      result = check.run();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      return;
    } catch (IOException unable) {
      String why = reason(unable);
      result =
          Obstacle.in(unable)
              .<NodeCheckResult>map(obstacle -> new NodeCheckResult.Unavailable(obstacle, why))
              .orElseGet(() -> new NodeCheckResult.Unknown(why));
    } catch (RuntimeException | Error bug) { // a failed run has not hung
      LOG.error("internal error in check, continuing check={}", rule.kind(), bug);
      result = new NodeCheckResult.Unknown(rule.kind() + ": internal error: " + bug);
    }
    inTime.run();
    ConditionStatus found = CheckProgress.status(result);
    CheckProgress before;
    synchronized (this) {
      if (closed) {
        return; // an interrupted run is no evidence, especially not for a newer monitor
      }
      before = progress;
      progress = before.ended(found);
    }
    stats.read();
    stats.took(time.nanoTime() - start);
    if (!before.hanging()) {
      report(result, found);
    }
    before.runsAgain(found, rule).ifPresent(delay -> again(delay, threads, later, time));
  }

  private void again(Duration delay, Executor threads, Later later, TimeSource time) {
    if (delay.isZero()) {
      var _ = begin(threads, later, time);
    } else {
      var _ = later.run(delay, () -> begin(threads, later, time));
    }
  }

  private void report(NodeCheckResult result, ConditionStatus found) {
    switch (result) {
      case NodeCheckResult.Ok() -> report(found, "", Coverage.WHOLE);
      case NodeCheckResult.Problem(String message) -> report(found, message, Coverage.WHOLE);
      case NodeCheckResult.Devices(Set<String> well, String problem, Set<String> volumes) -> {
        volumes(volumes);
        report(found, problem, Coverage.of(well));
      }
      case NodeCheckResult.Unknown(String why) -> lost(Evidence.text(why));
      case NodeCheckResult.Unavailable(Obstacle obstacle, String why) ->
          unavailable(obstacle, Evidence.text(why));
    }
  }

  /** B-21: a problem of a pod's volume is not a node problem, but it is logged. */
  private void volumes(Set<String> found) {
    found.stream()
        .filter(volume -> !volumes.contains(volume))
        .limit(MAX_VOLUMES)
        .forEach(volume ->
            LOG.warn(
                "problem on a pod's volume, no node condition set check={} problem=\"{}\"",
                rule.kind(),
                Evidence.text(volume)));
    volumes = found;
  }

  private void report(ConditionStatus status, String problem, Coverage coverage) {
    if (stats.running()) {
      LOG.info("check runs again check={}", rule.kind());
    }
    if (status == ConditionStatus.TRUE) {
      stats.matched();
    }
    sink.observe(ruleId, new Evidence.Reported(status, Evidence.text(problem), coverage));
  }

  /** Logged once, until the reason changes (B-5). */
  private void lost(String why) {
    if (stats.failing(why)) {
      LOG.warn("check cannot run check={} reason=\"{}\"", rule.kind(), why);
    }
    sink.observe(ruleId, new Evidence.Lost(why));
  }

  /** B-17: the table of sources reports this, unless the check has run before. */
  private void unavailable(Obstacle obstacle, String why) {
    if (stats.unavailable(obstacle, why)) {
      LOG.warn("check can no longer run check={} reason=\"{}\"", rule.kind(), why);
    }
    sink.observe(ruleId, new Evidence.Unavailable(why));
  }

  private void late(long run) {
    synchronized (this) {
      if (closed || !progress.isLate(run)) {
        return;
      }
      progress = progress.late(rule);
    }
    stats.timedOut();
    String why = "no answer within " + GoDuration.format(rule.timeout());
    if (rule.kind().hangingIsAProblem()) {
      if (stats.failing(why)) {
        LOG.warn("check hangs check={} reason=\"{}\"", rule.kind(), why);
      }
      sink.observe(
          ruleId, new Evidence.Hanging(why)); // NM-12: it keeps hanging, which is a problem
    } else {
      lost(why);
    }
  }

  private String reason(IOException unable) {
    String message = String.valueOf(unable.getMessage());
    return switch (unable) {
      case AccessDeniedException _ ->
          message + ": permission denied; requires " + rule.kind().needs();
      case NoSuchFileException _ -> message + ": no such file";
      default -> message;
    };
  }
}
