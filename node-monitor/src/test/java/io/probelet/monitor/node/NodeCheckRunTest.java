package io.probelet.monitor.node;

import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.check.NodeCheckResult.Problem;
import io.probelet.monitor.node.SourceView.SourceStats;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.track.Evidence;
import io.probelet.monitor.track.Evidence.Coverage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeCheckRunTest {
  private static final Evidence WELL = new Evidence.Reported(ConditionStatus.FALSE, "");

  /** What was to be done later, and when. */
  private final NavigableMap<Duration, Runnable> alarms = new TreeMap<>();

  private final NodeCheckRun.Later clock =
      (delay, task) -> {
        alarms.put(delay, task);
        return () -> alarms.remove(delay, task);
      };
  private final List<Evidence> evidence = new ArrayList<>();

  private NodeCheckRun run(NodeCheck check) {
    return run("{'check':'container-runtime','timeout':'1m'}", check);
  }

  private NodeCheckRun run(String rule, NodeCheck check) {
    Monitor.Checks checks = (Monitor.Checks) read("{'plugin':'check','rules':[" + rule + "]}");
    return new NodeCheckRun(
        checks.rules().getFirst(),
        "rule",
        check,
        new SourceStats("check"),
        (_, one) -> evidence.add(one));
  }

  @Test
  @DisplayName("B-5 without a free thread the check is Lost; it runs once there is one")
  void noThread() {
    AtomicInteger begun = new AtomicInteger();
    Executor threads =
        task -> {
          if (begun.incrementAndGet() == 1) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          task.run();
        };
    NodeCheckRun run = run(() -> NodeCheckResult.OK);
    run.begin(threads, clock, SystemClock.INSTANCE);
    assertThat(evidence).containsExactly(new Evidence.Lost("unable to create native thread"));
    run.begin(threads, clock, SystemClock.INSTANCE);
    assertThat(evidence).last().isEqualTo(WELL);
  }

  @Test
  @DisplayName("B-5 a check that throws an Error has not hung: it runs again")
  void error() {
    AtomicInteger looks = new AtomicInteger();
    NodeCheckRun run =
        run(() -> {
          if (looks.incrementAndGet() == 1) {
            throw new StackOverflowError();
          }
          return NodeCheckResult.OK;
        });
    run.begin(Runnable::run, clock, SystemClock.INSTANCE);
    assertThat(evidence).singleElement().isInstanceOf(Evidence.Lost.class);
    run.begin(Runnable::run, clock, SystemClock.INSTANCE);
    assertThat(evidence).last().isEqualTo(WELL);
  }

  @Test
  @DisplayName("B-2 a new status is checked again when its debounce is over, not earlier")
  void looksAgain() {
    Deque<NodeCheckResult> results =
        new ArrayDeque<>(
            List.of(
                NodeCheckResult.OK, new Problem("down"), new Problem("down"), NodeCheckResult.OK));
    NodeCheckRun run =
        run("{'check':'container-runtime','timeout':'1m','debounce':'45s'}", results::removeFirst);
    run.begin(Runnable::run, clock, SystemClock.INSTANCE);
    alarms.clear();
    run.begin(Runnable::run, clock, SystemClock.INSTANCE);
    assertThat(alarms).containsOnlyKeys(Duration.ofMillis(45_500));
    Runnable again = alarms.firstEntry().getValue();
    alarms.clear();
    run.begin(Runnable::run, clock, SystemClock.INSTANCE);
    assertThat(alarms).as("it is the same as before").isEmpty();
    again.run();
    assertThat(evidence).hasSize(4).last().isEqualTo(WELL);
  }

  @Test
  @DisplayName("NM-12 a disk that finally answers is checked again immediately; other checks wait")
  void answersAtLast() {
    assertThat(looksAfterHanging("{'check':'disk-io','timeout':'10s'}")).isEqualTo(2);
    assertThat(evidence).contains(new Evidence.Hanging("no answer within 10s"));
    assertThat(evidence).last().isEqualTo(WELL);
    evidence.clear();
    assertThat(looksAfterHanging("{'check':'zombies','timeout':'10s'}")).isEqualTo(1);
    assertThat(evidence).containsExactly(new Evidence.Lost("no answer within 10s"));
  }

  private int looksAfterHanging(String rule) {
    AtomicInteger looks = new AtomicInteger();
    Deque<Runnable> threads = new ArrayDeque<>();
    NodeCheckRun run =
        run(
            rule,
            () -> {
              looks.incrementAndGet();
              return NodeCheckResult.OK;
            });
    run.begin(threads::addLast, clock, SystemClock.INSTANCE);
    alarms.remove(Duration.ofSeconds(10)).run();
    while (!threads.isEmpty()) {
      threads.removeFirst().run();
    }
    return looks.get();
  }

  @Test
  @DisplayName("NM-12 a run that finished or could not start cancels its timeout")
  void answersInTime() {
    Deque<Runnable> threads = new ArrayDeque<>();
    NodeCheckRun run = run(() -> NodeCheckResult.OK);
    run.begin(threads::addLast, clock, SystemClock.INSTANCE);
    assertThat(alarms).containsOnlyKeys(Duration.ofMinutes(1));
    threads.removeFirst().run();
    assertThat(alarms).doesNotContainKey(Duration.ofMinutes(1));
    run.begin(
        _ -> {
          throw new OutOfMemoryError("unable to create native thread");
        },
        clock,
        SystemClock.INSTANCE);
    assertThat(alarms).doesNotContainKey(Duration.ofMinutes(1));
    run.begin(
        _ -> {
          throw new RejectedExecutionException();
        },
        clock,
        SystemClock.INSTANCE);
    assertThat(alarms).doesNotContainKey(Duration.ofMinutes(1));
  }

  @Test
  @DisplayName("B-15 a check of devices covers those it has seen")
  void devices() {
    NodeCheckRun run = run(() -> new NodeCheckResult.Devices(Set.of("sda1"), ""));
    run.begin(Runnable::run, clock, SystemClock.INSTANCE);
    assertThat(evidence)
        .containsExactly(
            new Evidence.Reported(ConditionStatus.FALSE, "", Coverage.of(Set.of("sda1"))));
  }
}
