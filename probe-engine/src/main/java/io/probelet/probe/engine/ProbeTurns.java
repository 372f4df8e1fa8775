package io.probelet.probe.engine;

import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Schedules probes within the {@link LoopBudget} (W-13). Probes of one pod start in order, so that
 * none starves; pods take turns. Used on one loop only.
 */
final class ProbeTurns {
  /** How often those that wait are tried again; short against the shortest period. */
  private static final long RETRY_NANOS = Duration.ofMillis(20).toNanos();

  /** A pod that kept within its budget for so long is reported again. */
  private static final long FORGET_NANOS = Duration.ofMinutes(10).toNanos();

  private final ProbeLoop loop;
  private final LoopBudget budget;
  private final Set<PodTurns> waiting = new LinkedHashSet<>();
  private boolean retryDue;

  /** Read by any thread. */
  private final AtomicInteger waiters = new AtomicInteger();

  /** The turns of one pod. */
  final class PodTurns {
    private final LoopBudget.Pod account;
    private final LinkedHashSet<WorkerRunner> own = new LinkedHashSet<>(1);
    private Reason refusal = Reason.POD_BUDGET;
    private @Nullable Long lastDiscard;

    private PodTurns(LoopBudget.Pod account) {
      this.account = account;
    }

    /** Begins if it may; otherwise the waiter begins when its turn has come. */
    boolean ask(WorkerRunner waiter) {
      if (own.isEmpty() && admit(this, waiter)) {
        return true;
      }
      if (budget.fits(waiter.parts())) {
        own.add(waiter);
        waiters.incrementAndGet();
        waiting.add(this);
        retryLater();
      }
      return false;
    }

    /** {@return whether a waiter is still waiting} */
    boolean waits(WorkerRunner waiter) {
      return own.contains(waiter);
    }

    /** {@return whether a probe of so many parts can ever have its turn} */
    boolean fits(WorkerRunner waiter) {
      return budget.fits(waiter.parts());
    }

    /** {@return whether a probe under way may be tried once more, which is counted} */
    boolean again(WorkerRunner waiter) {
      return budget.again(account, waiter.parts(), loop.time().nanoTime());
    }

    /**
     * {@return why one more request of a probe under way may not be sent; empty if it is counted}
     */
    Optional<ProberError> chargeFurther() {
      return Optional.ofNullable(budget.further(account, loop.time().nanoTime()))
          .map(reason -> new ProberError(reason, budget.message(reason, 1)));
    }

    /** A probe ended. */
    void ended(WorkerRunner waiter) {
      budget.end(account, waiter.parts());
    }

    /** Removes a waiter, if it is waiting. */
    void forget(WorkerRunner waiter) {
      if (own.remove(waiter)) {
        waiters.decrementAndGet();
      }
      if (own.isEmpty()) {
        waiting.remove(this);
      }
    }

    /** The pod is gone, after its waiters. */
    void close() {
      waiting.remove(this);
      budget.close(account);
    }

    /** {@return why the pod was refused last} */
    Reason refusal() {
      return refusal;
    }

    /** {@return the message about a waiter that was discarded} */
    String message(WorkerRunner waiter) {
      return budget.message(refusal, waiter.parts());
    }

    /** Counts a discarded probe; returns whether it is the first after a good while. */
    boolean discarded() {
      long now = loop.time().nanoTime();
      boolean first = lastDiscard == null || now - lastDiscard > FORGET_NANOS;
      lastDiscard = now;
      return first;
    }
  }

  ProbeTurns(ProbeLoop loop, LoopBudget budget) {
    this.loop = loop;
    this.budget = budget;
  }

  /** {@return the number of waiting probes; thread-safe} */
  int waiting() {
    return waiters.get();
  }

  /** {@return the turns of one more pod} */
  PodTurns open() {
    return new PodTurns(budget.open(loop.time().nanoTime()));
  }

  private boolean admit(PodTurns pod, WorkerRunner waiter) {
    long now = loop.time().nanoTime();
    Reason refusal = budget.refusal(pod.account, waiter.parts(), now);
    if (refusal == null) {
      budget.begin(pod.account, waiter.parts(), now);
      return true;
    }
    pod.refusal = refusal;
    return false;
  }

  private void retryLater() {
    if (!retryDue) {
      retryDue = true;
      loop.schedule(RETRY_NANOS, this::retry);
    }
  }

  private void retry() {
    retryDue = false;
    boolean any = true;
    while (any) {
      any = false;
      for (PodTurns pod : List.copyOf(waiting)) {
        any |= beginNext(pod);
      }
    }
    if (!waiting.isEmpty()) {
      rotate();
      retryLater();
    }
  }

  private boolean beginNext(PodTurns pod) {
    if (pod.own.isEmpty() || !admit(pod, pod.own.getFirst())) {
      return false;
    }
    WorkerRunner next = pod.own.getFirst();
    pod.forget(next);
    next.begin();
    return true;
  }

  /** Whoever was first this time is last the next time. */
  private void rotate() {
    PodTurns first = new ArrayList<>(waiting).getFirst();
    waiting.remove(first);
    waiting.add(first);
  }
}
