package io.probelet.probe.net;

import io.probelet.health.SystemClock;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.TestTimeout;
import io.probelet.probe.net.NetLoop.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A loop to probe on, and targets to probe, for the tests of one class. */
public final class Probing implements AfterAllCallback {
  /** Above any exchange on loopback, however long the machine stalls. */
  public static final Duration TIMEOUT = TestTimeout.LONG;

  /** What the specification grants beyond the timeout. */
  public static final Duration GRACE = Duration.ofMillis(50);

  private final ProbeLoops loops;
  private final Dialer dialer;

  public Probing() {
    this(Transport.best(), new SystemNames());
  }

  Probing(Transport transport, NameResolver names) {
    loops = ProbeLoops.start(1, transport, SystemClock.INSTANCE);
    dialer = new Dialer(loops.all().getFirst(), names, new TlsContexts(SystemClock.INSTANCE));
  }

  public Dialer dialer() {
    return dialer;
  }

  /** Starts something on the loop and waits for its outcome. */
  public ProbeOutcome outcome(Consumer<Consumer<ProbeOutcome>> attempt) {
    return get(start(attempt));
  }

  /**
   * Starts something on the loop and waits for its outcome, which must come within the timeout and
   * what is granted beyond it. The loop itself is the judge: its timers run in the order in which
   * they are due, so that no stall of the machine makes late what is not.
   */
  public ProbeOutcome outcomeInTime(Duration timeout, Consumer<Consumer<ProbeOutcome>> attempt) {
    CompletableFuture<ProbeOutcome> late = new CompletableFuture<>();
    CompletableFuture<ProbeOutcome> outcome =
        start(done -> {
          attempt.accept(done);
          dialer
              .loop()
              .eventLoop()
              .schedule(
                  () -> late.completeExceptionally(new AssertionError("late for " + timeout)),
                  timeout.plus(GRACE).toNanos(),
                  TimeUnit.NANOSECONDS);
        });
    return get(outcome.applyToEither(late, each -> each));
  }

  private static ProbeOutcome get(CompletableFuture<ProbeOutcome> outcome) {
    try {
      return outcome.get(2, TimeUnit.MINUTES);
    } catch (InterruptedException | ExecutionException | TimeoutException failed) {
      throw new AssertionError(failed);
    }
  }

  /** Starts something on the loop; two outcomes of it are an error nobody can miss. */
  public CompletableFuture<ProbeOutcome> start(Consumer<Consumer<ProbeOutcome>> attempt) {
    CompletableFuture<ProbeOutcome> outcome = new CompletableFuture<>();
    dialer
        .loop()
        .eventLoop()
        .execute(() ->
            attempt.accept(each -> {
              if (!dialer.loop().eventLoop().inEventLoop() || !outcome.complete(each)) {
                throw new IllegalStateException("second outcome, or off the loop");
              }
            }));
    return outcome;
  }

  /** A container on loopback without named ports. */
  public static ProbeTarget target() {
    return target("127.0.0.1", Map.of());
  }

  public static ProbeTarget target(String podIp, Map<String, Integer> ports) {
    ContainerSpec container =
        new ContainerSpec("web", false, null, List.of(), ports, Map.of(), Map.of());
    return new ProbeTarget(new PodRef("default", "shop", "uid-1"), container, "id-1", podIp);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  public void close() {
    loops.close();
  }
}
