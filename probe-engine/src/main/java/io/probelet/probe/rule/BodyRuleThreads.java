package io.probelet.probe.rule;

import io.probelet.probe.PodRef;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds bodies against the rules of probes, on a few platform threads: what a pod's author asks of
 * a body may take as long as all other probes of the node together, so no event loop does it. Pods
 * take turns by the time they have had. Shared by all loops.
 */
public final class BodyRuleThreads {
  /**
   * One pod occupies one of them at most, so that it takes four pods at the limit of what an
   * expression may cost to make a fifth wait.
   */
  static final int THREADS = 4;

  /**
   * CPU time after which a piece of work is cut off: twice what the worst expression of allowed
   * size takes. Time that the machine gave to others does not count.
   */
  static final Duration MAX_RUN = Duration.ofMillis(300);

  /** Who had this much CPU time and is not ready when the probe's time is up has failed. */
  static final Duration FAIR_RUN = Duration.ofMillis(50);

  /** More bodies than that are not checked. */
  public static final int MAX_WAITING = FairQueue.MAX_WAITING;

  private static final int IDLE_SECONDS = 5;
  private static final long STACK_BYTES = 2 * 1024 * 1024;

  private final LongSupplier cpuNanos;
  private final ThreadPoolExecutor threads;
  private final CompiledPatterns patterns = new CompiledPatterns();
  private final FairQueue<PodRef, BodyCheck> queue = new FairQueue<>();
  private int underWay;

  /** Creates an idle pool that goes by the machine's measure of CPU time. */
  public BodyRuleThreads() {
    this(ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
  }

  /**
   * Creates an idle pool; its threads end when there is nothing to do.
   *
   * @param cpuNanos says how much CPU time the thread that asks has had, in nanoseconds
   */
  BodyRuleThreads(LongSupplier cpuNanos) {
    this.cpuNanos = cpuNanos;
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(2 * THREADS), // never more than THREADS are handed in
            Thread.ofPlatform().daemon().name("body-rules-", 0).stackSize(STACK_BYTES).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Begins the check of an answer; the outcome comes on another thread.
   *
   * @param pod whose author wrote the rules
   * @param prober that has the answer, for messages
   * @param texts of the answer, with their rules; the first that breaks one decides
   * @param output of a success
   * @return the check, with the verdict to come
   */
  public BodyCheck check(PodRef pod, String prober, List<TextRules> texts, String output) {
    return check(pod, new BodyCheck(prober, List.copyOf(texts), output));
  }

  private BodyCheck check(PodRef pod, BodyCheck check) {
    synchronized (queue) {
      check.behindItself = queue.busy(pod);
      if (!queue.add(pod, check)) {
        check.verdict.complete(check.notChecked("too many responses are waiting for a body check"));
      }
      startNext();
    }
    return check;
  }

  /** {@return bodies that wait to be checked, of at most {@link #MAX_WAITING}} */
  public int waiting() {
    synchronized (queue) {
      return queue.waiting();
    }
  }

  /** {@return instructions of compiled expressions that are kept} */
  int kept() {
    return patterns.size();
  }

  private void startNext() {
    while (underWay < THREADS) {
      FairQueue.Next<PodRef, BodyCheck> next = queue.next();
      if (next == null) {
        return;
      }
      underWay++;
      threads.execute(() -> carryOut(next));
    }
  }

  private void carryOut(FairQueue.Next<PodRef, BodyCheck> next) {
    long begun = cpuNanos.getAsLong();
    try {
      next.work().run(begun);
    } finally {
      synchronized (queue) {
        underWay--;
        queue.done(next.pod(), cpuNanos.getAsLong() - begun);
        startNext();
      }
    }
  }

  /** The texts of one answer and their rules. */
  public final class BodyCheck {
    private final String prober;
    private final List<TextRules> texts;
    private final String output;
    private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();
    private boolean behindItself;
    private volatile boolean givenUp;
    private volatile long spentNanos;

    private BodyCheck(String prober, List<TextRules> texts, String output) {
      this.prober = prober;
      this.texts = texts;
      this.output = output;
    }

    /** {@return the verdict to come} */
    public CompletableFuture<Verdict> verdict() {
      return verdict;
    }

    /** {@return the outcome when the probe's time is up} The work is stopped. */
    public Verdict timedOut() {
      givenUp = true;
      return spentNanos >= FAIR_RUN.toNanos()
          ? Failure.indefinite(prober + " probe failed: the body rules were not checked in time")
              .by(Cause.BODY)
          : notChecked("the response waited too long for its body check");
    }

    private boolean over(long begun) {
      spentNanos = cpuNanos.getAsLong() - begun;
      return givenUp || spentNanos > MAX_RUN.toNanos();
    }

    private Verdict notChecked(String why) {
      return new ProberError(behindItself ? Reason.POD_BUDGET : Reason.NODE_BUDGET, why);
    }

    private void run(long begun) {
      try {
        for (TextRules each : texts) {
          BoundedText text = new BoundedText(each.text(), () -> over(begun));
          String broken =
              new BodyRules(patterns, each.what(), text, each.cut()).broken(each.rules());
          if (broken != null) {
            verdict.complete(new Failure(prober + " probe failed: " + broken, each.cause()));
            return;
          }
        }
        verdict.complete(new Success(output));
      } catch (BoundedText.StoppedException tooLong) {
        verdict.complete(
            new Failure(
                prober
                    + " probe failed: the body rules took longer than "
                    + MAX_RUN.toMillis()
                    + " ms",
                Cause.BODY));
      } catch (Throwable bug) { // W-11: this probe's, and no other's
        verdict.complete(new ProberError(Reason.INTERNAL, "prober failed: " + bug));
      }
    }
  }
}
