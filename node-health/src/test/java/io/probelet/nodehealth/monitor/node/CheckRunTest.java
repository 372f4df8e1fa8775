package io.probelet.nodehealth.monitor.node;

import static io.probelet.nodehealth.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.nodehealth.monitor.check.Check;
import io.probelet.nodehealth.monitor.check.CheckResult;
import io.probelet.nodehealth.monitor.rule.Monitor;
import io.probelet.nodehealth.monitor.track.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CheckRunTest {
  private static final Evidence WELL = new Evidence.Reported(ConditionStatus.FALSE, "");

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private final List<Evidence> evidence = new ArrayList<>();

  @AfterEach
  void stop() {
    clock.shutdownNow();
  }

  private CheckRun run(Check check) {
    Monitor.Checks checks =
        (Monitor.Checks)
            read("{'plugin':'check','rules':[{'check':'container-runtime','timeout':'1m'}]}");
    return new CheckRun(
        checks.rules().getFirst(),
        "rule",
        check,
        new SourceStats("check"),
        (_, one) -> evidence.add(one));
  }

  @Test
  @DisplayName(
      "B-5 a machine without a thread to spare: nobody looked; once there is one, it looks")
  void noThread() {
    AtomicInteger begun = new AtomicInteger();
    Executor threads =
        task -> {
          if (begun.incrementAndGet() == 1) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          task.run();
        };
    CheckRun run = run(() -> CheckResult.OK);
    run.begin(threads, clock, SystemClock.INSTANCE);
    assertThat(evidence).containsExactly(new Evidence.Lost("unable to create native thread"));
    run.begin(threads, clock, SystemClock.INSTANCE);
    assertThat(evidence).last().isEqualTo(WELL);
  }

  @Test
  @DisplayName("B-5 a check that ends in an error of the machine's has not hung: it looks again")
  void error() {
    AtomicInteger looks = new AtomicInteger();
    CheckRun run =
        run(() -> {
          if (looks.incrementAndGet() == 1) {
            throw new StackOverflowError();
          }
          return CheckResult.OK;
        });
    run.begin(Runnable::run, clock, SystemClock.INSTANCE);
    assertThat(evidence).singleElement().isInstanceOf(Evidence.Lost.class);
    run.begin(Runnable::run, clock, SystemClock.INSTANCE);
    assertThat(evidence).last().isEqualTo(WELL);
  }
}
