package io.probelet.nodehealth.monitor.node;

import io.probelet.health.ConditionStatus;
import io.probelet.health.GoDuration;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.monitor.check.Check;
import io.probelet.nodehealth.monitor.check.CheckResult;
import io.probelet.nodehealth.monitor.log.CleanText;
import io.probelet.nodehealth.monitor.rule.CheckRule;
import io.probelet.nodehealth.monitor.track.Evidence;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One check, look after look: what each came to is told as evidence, and so is none at all. */
final class CheckRun {
  private static final Logger LOG = LoggerFactory.getLogger(CheckRun.class);

  private final CheckRule rule;
  private final String ruleId;
  private final Check check;
  private final SourceStats stats;
  private final EvidenceSink sink;

  // Under this object's lock.
  private boolean closed;
  private long looks;
  private boolean underWay;
  private boolean hanging;

  CheckRun(CheckRule rule, String ruleId, Check check, SourceStats stats, EvidenceSink sink) {
    this.rule = rule;
    this.ruleId = ruleId;
    this.check = check;
    this.stats = stats;
    this.sink = sink;
  }

  CheckRule rule() {
    return rule;
  }

  /** Begins a look, unless the one before has not come back. */
  void begin(Executor threads, ScheduledExecutorService clock, TimeSource time) {
    long look;
    synchronized (this) {
      if (underWay) {
        return; // its timeout has told, or is going to
      }
      underWay = true;
      look = ++looks;
    }
    try {
      threads.execute(() -> look(time));
      var _ = clock.schedule(() -> late(look), rule.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.debug("check={} is closed", rule.kind());
    } catch (OutOfMemoryError noThread) { // it says so of threads too; the next may get one
      synchronized (this) {
        underWay = false;
      }
      lost(CleanText.of(String.valueOf(noThread.getMessage())));
    }
  }

  /** Tells nothing any more. */
  synchronized void close() {
    closed = true;
  }

  private void look(TimeSource time) {
    long start = time.nanoTime();
    CheckResult result;
    try {
      result = check.look();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      return;
    } catch (IOException unable) {
      result = new CheckResult.Unknown(reason(unable));
    } catch (RuntimeException | Error bug) { // whatever it is, it has not hung
      LOG.error("check={} failed", rule.kind(), bug);
      result = new CheckResult.Unknown(rule.kind() + " failed: " + bug);
    }
    boolean inTime;
    synchronized (this) {
      if (closed) {
        return; // what was cut short is no evidence, least of all for who looks now
      }
      inTime = !hanging;
      hanging = false;
      underWay = false;
    }
    stats.read();
    stats.took(time.nanoTime() - start);
    if (inTime) { // what comes late has been told to hang; the next look tells how it is now
      tell(result);
    }
  }

  private void tell(CheckResult result) {
    switch (result) {
      case CheckResult.Ok() -> {
        wellAgain();
        sink.observe(ruleId, new Evidence.Reported(ConditionStatus.FALSE, ""));
      }
      case CheckResult.Problem(String message) -> {
        wellAgain();
        stats.matched();
        sink.observe(ruleId, new Evidence.Reported(ConditionStatus.TRUE, CleanText.of(message)));
      }
      case CheckResult.Unknown(String why) -> lost(CleanText.of(why));
    }
  }

  private void wellAgain() {
    if (stats.trouble("")) {
      LOG.info("check={} can look again", rule.kind());
    }
  }

  /** Said once, until it is something else (B-5). */
  private void lost(String why) {
    if (stats.trouble(why)) {
      LOG.warn("check={} cannot look: {}", rule.kind(), why);
    }
    sink.observe(ruleId, new Evidence.Lost(why));
  }

  private void late(long look) {
    synchronized (this) {
      if (closed || !underWay || looks != look) {
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
      // NM-12: nobody knows, and that is bad if it stays so.
      sink.observe(ruleId, new Evidence.Reported(ConditionStatus.UNKNOWN, why));
      sink.observe(ruleId, new Evidence.Reported(ConditionStatus.TRUE, why));
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
