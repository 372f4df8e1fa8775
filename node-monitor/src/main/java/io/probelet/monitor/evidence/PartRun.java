package io.probelet.monitor.evidence;

import io.probelet.health.FailureReason;
import io.probelet.health.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects one part on its own platform thread, since a hanging filesystem would block the carrier
 * of a virtual one. The thread is abandoned when the time has expired.
 */
final class PartRun {
  private static final Logger LOG = LoggerFactory.getLogger(PartRun.class);

  private final EvidencePart part;
  private final EvidenceOutput out;
  private final TimeSource time;
  private final long begun;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable String failure;
  private volatile long endedAt;

  private PartRun(EvidencePart part, TimeSource time) {
    this.part = part;
    this.time = time;
    out = new EvidenceOutput(part.keep(), part.maxBytes());
    begun = time.nanoTime();
    thread = Thread.ofPlatform().daemon().name("evidence-" + part.name()).unstarted(this::run);
  }

  static PartRun start(EvidencePart part, TimeSource time) {
    PartRun run = new PartRun(part, time);
    run.thread.start();
    return run;
  }

  private void run() {
    try {
      part.collector().collect(out);
    } catch (IOException refused) {
      failure = FailureReason.withFile(refused);
    } catch (InterruptedException late) {
      failure = "interrupted";
    } catch (RuntimeException | LinkageError | OutOfMemoryError bug) { // the other parts continue
      LOG.error("internal error while collecting evidence, continuing part={}", part.name(), bug);
      failure = "internal error: " + bug;
    } finally {
      endedAt = time.nanoTime();
      ended.countDown();
    }
  }

  /** Returns whether the collector has finished; its thread may take a moment longer. */
  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /**
   * Stops waiting for the collector.
   *
   * @return whether it still runs
   */
  boolean leave() {
    if (hasEnded()) {
      return false;
    }
    thread.interrupt();
    return true;
  }

  /**
   * Waits for the result, at most until the part's timeout.
   *
   * @param atMost an additional limit of the wait
   */
  PartResult result(Duration atMost) throws InterruptedException {
    long left = part.timeout().toNanos() - (time.nanoTime() - begun);
    boolean inTime = ended.await(Math.min(left, atMost.toNanos()), TimeUnit.NANOSECONDS);
    EvidenceOutput.Taken taken = out.seal();
    Duration took = Duration.ofNanos((inTime ? endedAt : time.nanoTime()) - begun);
    List<String> why = new ArrayList<>(taken.missing());
    if (!inTime) {
      thread.interrupt();
      why.add("timed out after " + Math.max(1, took.toSeconds()) + " s");
    } else if (failure != null) {
      why.add(failure);
    }
    if (taken.dropped() > 0) {
      why.add(
          "truncated to the %2$s %1$d bytes"
              .formatted(
                  part.maxBytes(), part.keep() == EvidencePart.Keep.FIRST ? "first" : "last"));
    }
    return new PartResult(part, taken.bytes(), took, why, taken.highlights());
  }
}
