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
 * One part being collected, on a platform thread of its own: asking a filesystem that hangs holds
 * the carrier of a virtual one. The thread is left behind when the time is up.
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
      failure = "was interrupted";
    } catch (RuntimeException | LinkageError | OutOfMemoryError bug) { // the others go on
      LOG.error("evidence part={}", part.name(), bug);
      failure = "a mistake of ours: " + bug;
    } finally {
      endedAt = time.nanoTime();
      ended.countDown();
    }
  }

  /** If its collector has ended; its thread may take a moment longer. */
  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /**
   * Awaits it no longer.
   *
   * @return if there is something to leave behind
   */
  boolean leave() {
    if (hasEnded()) {
      return false;
    }
    thread.interrupt();
    return true;
  }

  /**
   * Waits for its end, and no longer than it may take.
   *
   * @param atMost how long to wait although the part may take longer
   */
  PartResult result(Duration atMost) throws InterruptedException {
    long left = part.timeout().toNanos() - (time.nanoTime() - begun);
    boolean inTime = ended.await(Math.min(left, atMost.toNanos()), TimeUnit.NANOSECONDS);
    EvidenceOutput.Taken taken = out.seal();
    Duration took = Duration.ofNanos((inTime ? endedAt : time.nanoTime()) - begun);
    List<String> why = new ArrayList<>(taken.missing());
    if (!inTime) {
      thread.interrupt();
      why.add("it did not end within " + Math.max(1, took.toSeconds()) + " s and was left behind");
    } else if (failure != null) {
      why.add(failure);
    }
    if (taken.dropped() > 0) {
      why.add(
          "it is longer than %d bytes, of which the %s are here"
              .formatted(
                  part.maxBytes(), part.keep() == EvidencePart.Keep.FIRST ? "first" : "last"));
    }
    return new PartResult(part, taken.bytes(), took, why, taken.highlights());
  }
}
