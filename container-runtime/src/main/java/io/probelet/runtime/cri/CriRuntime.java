package io.probelet.runtime.cri;

import io.netty.channel.EventLoopGroup;
import io.probelet.health.GoDuration;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.grpc.GrpcCode;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import io.probelet.runtime.cri.v1.ExecSyncRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Containers of a CRI runtime, over its unix socket.
 *
 * <p>The runtime may disconnect at any time. Only calls that need it fail meanwhile.
 */
public final class CriRuntime implements ContainerRuntime {
  /** Time in addition to the grace period for the runtime to kill the container and clean up. */
  private static final Duration STOP_LEEWAY = Duration.ofSeconds(30);

  private final CriConnection connection;
  private final CriCalls calls;
  private final PodWatch watch;
  private final ExecSlots slots;
  private final TimeSource time;
  private final Duration execLeeway;
  private final Duration slotLeeway;
  private final Duration execHold;
  private final CgroupLookup groups;

  private CriRuntime(Path endpoint, EventLoopGroup loops, TimeSource time, CriOptions options) {
    this.connection = new CriConnection(endpoint, loops.next(), this::connectionLost);
    this.calls = new CriCalls(connection, options.callTimeout());
    this.watch = new PodWatch(endpoint, connection, time, options);
    this.slots = new ExecSlots(options.maxExecs(), time);
    this.time = time;
    this.execLeeway = options.execLeeway();
    this.slotLeeway = options.slotLeeway();
    this.execHold = options.execHold();
    this.groups = new CgroupLookup(calls, options.root());
  }

  /**
   * Starts to connect to a runtime, and retries while it is unavailable.
   *
   * @param endpoint its socket; see {@link CriEndpoint}
   * @param loops one of these carries the connection; their owner shuts them down after this
   * @return the runtime, connected or not; to be closed by the caller
   */
  public static CriRuntime connect(
      Path endpoint, EventLoopGroup loops, TimeSource time, CriOptions options) {
    CriRuntime runtime = new CriRuntime(endpoint, loops, time, options);
    runtime.watch.start();
    return runtime;
  }

  private void connectionLost() {
    watch.pollSoon();
  }

  /** {@return whether the last poll of the runtime succeeded} */
  public boolean connected() {
    return watch.health().connected();
  }

  /** {@return figures for operators} */
  public CriStats stats() {
    PodWatch.Health health = watch.health();
    return new CriStats(
        health.connected(),
        health.problem(),
        health.runtime(),
        health.disconnects(),
        health.relists(),
        health.relisting(),
        slots.stats());
  }

  @Override
  public void watch(RuntimeListener listener) {
    watch.watch(listener);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The runtime measures the timeout from the start of the command, as for the kubelet: a busy
   * node starts commands late, which is not a failure of the container. It measures whole seconds.
   * For a fraction of a second the duration of the whole call is used instead; a command that may
   * or may not have been in time has no result. A runtime reports the end only after all children
   * of the command have ended. If it has not reported the end long after the timeout, the command
   * timed out, provided that the runtime answered all other calls meanwhile.
   *
   * <p>The timeout does not include the wait for a slot. A command keeps its slot until the runtime
   * has reported its end, but not long after its timeout. While commands with fewer slots wait, it
   * may lose its slot sooner and is ended (W-22).
   */
  @Override
  public ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException {
    Duration counted = Duration.ofSeconds(wholeSeconds(timeout));
    ExecSyncRequest request = request(containerId, command, counted.toSeconds());
    ExecSlots.Slot slot = slots.take(pod);
    PodWatch.Health before = watch.health();
    long sent = time.nanoTime();
    CompletableFuture<ExecAnswer> call =
        connection.call("ExecSync", request, counted.plus(execLeeway), new ExecAnswer(outputLimit));
    CompletableFuture<ExecAnswer> bounded = bound(slot, call, counted, sent);
    try {
      ExecAnswer answer = bounded.get();
      Duration took = Duration.ofNanos(time.nanoTime() - sent);
      boolean doubtful = took.compareTo(timeout) > 0 && !counted.equals(timeout);
      if (doubtful && answer.exitCode() == 0) {
        throw new ContainerRuntimeException(
            "ExecSync: the command succeeded within %s, but possibly not within %s: the runtime"
                    .formatted(GoDuration.format(took), GoDuration.format(timeout))
                + " counts whole seconds only");
      }
      return new ExecResult.Exited(answer.exitCode(), answer.output());
    } catch (ExecutionException failed) {
      if (call.isCancelled()) {
        return new ExecResult.Displaced(Duration.ofNanos(time.nanoTime() - sent));
      }
      ContainerRuntimeException reason = CriCalls.reason(failed);
      boolean late = time.nanoTime() - sent >= counted.toNanos();
      return switch (reason) {
        case NoAnswerException _ -> {
          calls.version(); // which fails if the whole runtime hangs
          yield timedOut(before);
        }
        case CallFailedException said when late && said.status().is(GrpcCode.DEADLINE_EXCEEDED) ->
            timedOut(before);
        default -> throw reason;
      };
    }
  }

  /**
   * Releases the slot of a command. A command that loses its slot is ended, unless its timeout has
   * passed: then its result says something about the container, and is awaited without a slot. A
   * command that was ended here counts for its pod until the runtime would have ended it, because
   * the runtime may not end it sooner.
   *
   * @return completes like the call, after its slot is free again
   */
  private CompletableFuture<ExecAnswer> bound(
      ExecSlots.Slot slot, CompletableFuture<ExecAnswer> call, Duration counted, long sent) {
    CompletableFuture<Void> over =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, counted.plus(slotLeeway).toNanos(), TimeUnit.NANOSECONDS);
    CompletableFuture<Void> held =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, execHold.toNanos(), TimeUnit.NANOSECONDS);
    CompletableFuture<Void> _ = over.thenRun(slot::giveBack);
    CompletableFuture<Void> _ = held.thenRun(slot::overdue);
    CompletableFuture<Void> _ =
        slot.lost()
            .thenRun(() -> {
              if (time.nanoTime() - sent < counted.toNanos()) {
                call.cancel(false);
              }
            });
    return call.whenComplete((_, _) -> {
      held.cancel(false);
      if (!call.isCancelled()) {
        over.complete(null);
      }
    });
  }

  @Override
  public boolean runs(String containerId) throws ContainerRuntimeException, InterruptedException {
    return calls.runs(containerId);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Read from the node's control groups and processes, which an agent in a container sees only
   * with {@code --host-root}, or in the node's process namespace.
   */
  @Override
  public ContainerEvidence evidence(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    return groups.evidence(containerId);
  }

  /**
   * {@inheritDoc}
   *
   * <p>It needs no slot. The runtime completes the stop even if the agent ends meanwhile.
   */
  @Override
  public ExecResult hook(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException, InterruptedException {
    ExecSyncRequest request = request(containerId, command, wholeSeconds(within));
    CompletableFuture<ExecAnswer> call =
        connection.call("ExecSync", request, within, new ExecAnswer(0));
    try {
      ExecAnswer answer = call.get();
      return new ExecResult.Exited(answer.exitCode(), answer.output());
    } catch (ExecutionException failed) {
      return switch (CriCalls.reason(failed)) {
        case NoAnswerException _ -> new ExecResult.TimedOut();
        case CallFailedException said when said.status().is(GrpcCode.DEADLINE_EXCEEDED) ->
            new ExecResult.TimedOut();
        case ContainerRuntimeException reason -> throw reason;
      };
    }
  }

  private static ExecSyncRequest request(String containerId, List<String> command, long seconds) {
    return ExecSyncRequest.newBuilder()
        .setContainerId(containerId)
        .addAllCmd(command)
        .setTimeout(seconds)
        .build();
  }

  /** A late command says something about its container only if the runtime was healthy (H-9). */
  private ExecResult timedOut(PodWatch.Health before) throws ContainerRuntimeException {
    PodWatch.Health now = watch.health();
    boolean well =
        before.connected() && now.connected() && before.disconnects() == now.disconnects();
    if (!well) {
      throw new ContainerRuntimeException(
          "ExecSync: the runtime was unavailable while the command ran");
    }
    return new ExecResult.TimedOut();
  }

  @Override
  public void stop(String containerId, Duration grace)
      throws ContainerRuntimeException, InterruptedException {
    long seconds = wholeSeconds(grace);
    calls.stop(containerId, seconds, Duration.ofSeconds(seconds).plus(STOP_LEEWAY));
    watch.pollSoon();
  }

  /** CRI has only whole seconds, so a fraction is rounded up. */
  private static long wholeSeconds(Duration duration) {
    return duration.plusNanos(999_999_999).toSeconds();
  }

  @Override
  public void close() {
    watch.close();
    connection.drop();
  }
}
