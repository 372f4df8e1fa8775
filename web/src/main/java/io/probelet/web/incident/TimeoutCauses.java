package io.probelet.web.incident;

import static io.probelet.web.incident.Cause.Confidence.CERTAIN;
import static io.probelet.web.incident.Cause.Confidence.LIKELY;
import static io.probelet.web.incident.Cause.Confidence.UNCLEAR;

import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import java.util.Optional;

/** Judges a probe that got no answer in time: by what the kernel counted meanwhile. */
final class TimeoutCauses {
  /** As the throttle gate's: the limit stopped it in most of the time. */
  private static final int MOSTLY = 50;

  /** Where it also waits for the node's CPU, its limit stops it less. */
  private static final int OFTEN = 25;

  /** A node whose tasks wait for so much of the time starves them. */
  private static final int STARVED = 60;

  /** Waiting for memory or disks hurts sooner than waiting for a CPU. */
  private static final int PRESSED = 40;

  /** Thousandths of a core from which on it is busy. */
  private static final long BUSY_MILLIS = 500;

  /**
   * A server that used the CPU of so many of its answers was not kept from answering. An answer
   * needs less CPU than it takes time.
   */
  private static final int SEVERAL = 2;

  private final FailedProbe failed;
  private final KernelFacts kernel;

  private TimeoutCauses(FailedProbe failed) {
    this.failed = failed;
    kernel = failed.kernel();
  }

  /** {@return the cause} */
  static Cause of(FailedProbe failed) {
    return new TimeoutCauses(failed).judge();
  }

  private Cause judge() {
    if (FailedProbe.atLeast(kernel.throttledPercent(), MOSTLY)
        || (FailedProbe.atLeast(kernel.throttledPercent(), OFTEN) && isNearLimit())) {
      return failed.cause(
          CauseType.CPU_LIMIT,
          LIKELY, // an endless loop reaches its limit, too
          "throttled %d %% of the time at its CPU limit of %dm%s"
              .formatted(kernel.throttledPercent(), kernel.cpuLimitMillis(), failed.usually()),
          "Raise the limit or " + failed.timeoutAdvice() + ", or find what uses the CPU");
    }
    Optional<Cause> byThreads = threads();
    if (byThreads.isPresent()) {
      return byThreads.get();
    }
    Optional<Cause> byNode = starved();
    if (byNode.isPresent()) {
      return byNode.get();
    }
    if (failed.probe().handler().equals("exec")) {
      return failed.unclear(
          "the probe's command did not end in " + FailedProbe.millis(failed.probe().timeoutMs()));
    }
    boolean connected = failed.last().connected();
    if (kernel.cpuMillis() != null && kernel.windowMs() > 0) {
      if (kernel.cpuMillis() >= BUSY_MILLIS || isNearLimit()) {
        return failed.cause(
            CauseType.BUSY,
            LIKELY,
            "it used %dm of CPU and did not answer in %s%s"
                .formatted(
                    kernel.cpuMillis(),
                    FailedProbe.millis(failed.probe().timeoutMs()),
                    failed.usually()),
            "Find what keeps it busy, or " + failed.timeoutAdvice());
      }
      if (kernel.cpuMillis() <= FailedProbe.IDLE_MILLIS && connected) {
        return hang();
      }
    }
    return failed.unclear(
        connected
            ? "it did not answer in "
                + FailedProbe.millis(failed.probe().timeoutMs())
                + failed.usually()
            : "it did not accept a connection in "
                + FailedProbe.millis(failed.probe().timeoutMs()));
  }

  private boolean isNearLimit() {
    Long limit = kernel.cpuLimitMillis();
    Long used = kernel.cpuMillis();
    return limit != null
        && used != null
        && used > FailedProbe.IDLE_MILLIS
        && used * 10 >= limit * 8;
  }

  private Cause hang() {
    ThreadStates threads = kernel.threads();
    String all =
        threads != null && threads.total() > 0 && threads.sleeping() == threads.total()
            ? "; all of its %d threads wait".formatted(threads.total())
            : "";
    if (failed.neverSucceeded()) {
      return failed.cause(
          CauseType.HANG,
          LIKELY,
          "it accepts the probe but has never answered, and used no CPU" + all,
          "Check that the probe's port and protocol are right, then take a thread dump");
    }
    return failed.cause(
        CauseType.HANG,
        sleeps() ? CERTAIN : LIKELY,
        "it hangs: it did not answer in %s and used no CPU%s"
            .formatted(FailedProbe.millis(failed.probe().timeoutMs()), all),
        "Take a thread dump before the next restart");
  }

  /** {@return whether none of its threads wants to run} */
  private boolean sleeps() {
    ThreadStates threads = kernel.threads();
    return threads != null && threads.total() > 0 && threads.running() == 0;
  }

  private Optional<Cause> threads() {
    ThreadStates threads = kernel.threads();
    if (threads == null || threads.total() == 0) {
      return Optional.empty();
    }
    if (threads.stopped() > 0 && threads.running() == 0 && threads.sleeping() == 0) {
      return Optional.of(
          failed.cause(
              CauseType.STOPPED_PROCESS,
              CERTAIN,
              "all of its %d threads are stopped by a signal or a debugger"
                  .formatted(threads.stopped()),
              "Find who sent SIGSTOP"));
    }
    Long used = kernel.cpuMillis();
    boolean idle = used == null || used < BUSY_MILLIS;
    if (threads.uninterruptible() > 0 && idle) {
      return Optional.of(
          failed.cause(
              CauseType.BLOCKED_ON_IO,
              threads.uninterruptible() * 2 >= threads.total() ? CERTAIN : LIKELY,
              "%d of its %d threads wait for a disk or a network file system"
                  .formatted(threads.uninterruptible(), threads.total()),
              "Check its volumes and the node's disks"));
    }
    return Optional.empty();
  }

  /** {@return the CPU time that it used while the probe failed} */
  private long usedMillis() {
    Long used = kernel.cpuMillis();
    return used == null ? 0 : used * kernel.windowMs() / 1000;
  }

  /** {@return whether it had enough CPU for several answers: the lack of it is not the cause} */
  private boolean workedInVain() {
    Double usual = failed.probe().usualMs();
    return usual != null && failed.works() && usedMillis() >= SEVERAL * usual;
  }

  private Optional<Cause> starved() {
    IncidentNode node = failed.incident().node();
    Integer own = kernel.cpuWaitPercent();
    boolean wantsCpu = own == null ? !sleeps() : own >= MOSTLY;
    if (FailedProbe.atLeast(node.cpuWaitPercent(), STARVED) && wantsCpu) {
      if (workedInVain()) {
        return Optional.of(
            failed.cause(
                CauseType.BUSY,
                LIKELY,
                "it used %s of CPU without an answer%s; the node had little CPU, too"
                    .formatted(FailedProbe.millis(usedMillis()), failed.usually()),
                "Find what keeps it busy, and move load from the node"));
      }
      if (own == null && failed.works()) {
        return Optional.of(
            failed.cause(
                CauseType.NODE_CPU,
                UNCLEAR,
                "it was busy, and the node had too little CPU: tasks waited for one %d %% of the time"
                    .formatted(node.cpuWaitPercent()),
                "Move load from the node, then see whether it still fails"));
      }
      return Optional.of(
          failed.cause(
              CauseType.NODE_CPU,
              own == null ? LIKELY : CERTAIN,
              "the node had too little CPU: tasks waited for one %d %% of the time%s"
                  .formatted(
                      node.cpuWaitPercent(),
                      own == null ? "" : ", those of this container " + own + " %"),
              "Raise its CPU request, or move load from the node"));
    }
    boolean unread = kernel.equals(KernelFacts.UNKNOWN);
    Integer io = unread ? node.ioWaitPercent() : kernel.ioWaitPercent();
    Integer memory = unread ? node.memoryWaitPercent() : kernel.memoryWaitPercent();
    if (FailedProbe.atLeast(memory, PRESSED)) {
      return Optional.of(
          failed.cause(
              CauseType.NODE_PRESSURE,
              LIKELY,
              "its tasks waited for memory %d %% of the time".formatted(memory),
              "Raise its memory limit, or look at the node's memory"));
    }
    if (FailedProbe.atLeast(io, PRESSED)) {
      return Optional.of(
          failed.cause(
              CauseType.BLOCKED_ON_IO,
              LIKELY,
              "its tasks waited for a disk %d %% of the time".formatted(io),
              "Check its volumes and the node's disks"));
    }
    return Optional.empty();
  }
}
