package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.KnownPodsFixture;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.ConfigurationReading;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerObservation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whose containers are stopped is the administrator's word; a pod may only ask for less. */
class NodeGateTest {
  private static final String NO_GUARD = "guard: {enabled: false}\n";
  private static final String OBSERVED =
      NO_GUARD + "enforcement: {mode: enforce, namespaces: {shop: observe}}\n";

  private final AtomicReference<AgentConfiguration> configuration = new AtomicReference<>();
  private final KnownPods pods = new KnownPods();
  private final List<String> reported = new ArrayList<>();
  private final NodeGate gate =
      new NodeGate(
          () -> configuration.get().podRules(),
          () -> configuration.get().restarts().guard(),
          pods,
          new SuppressedRestarts(
              SystemClock.INSTANCE,
              new KeptListener() {
                @Override
                public void kept(RestartDecision decision, String reason, String message) {
                  reported.add(reason);
                }

                @Override
                public void observed(RestartDecision decision, String message) {
                  reported.add("observed " + decision.subject().pod().name());
                }
              }),
          new Pressure(Path.of("/no/such/folder")),
          SystemClock.INSTANCE);

  private boolean allows(String yaml, String pod) {
    return allows(yaml, pod, "failed");
  }

  private boolean allows(String yaml, String pod, String output) {
    configuration.set(ConfigurationReading.of(yaml));
    return gate.allows(
        new RestartDecision(
            new ProbeSubject(new PodRef("shop", pod, "uid-" + pod), "web", ProbeKind.LIVENESS),
            Targets.of(new PodRef("shop", pod, "uid-" + pod), "web", "id"),
            Duration.ofSeconds(1),
            new ProbeEvent("Normal", "Killing", "stopped"),
            output));
  }

  @Test
  @DisplayName("C1 a probe's output is one short line of the log")
  void outputInTheLog() {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger log = (Logger) LoggerFactory.getLogger(NodeGate.class);
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.INFO);
    try {
      assertThat(
              allows(OBSERVED, "web", "x\n12:00:00.000 WARN forged \u001b[2J" + "y".repeat(9_999)))
          .isFalse();
      assertThat(lines.list)
          .singleElement()
          .satisfies(event ->
              assertThat(event.getFormattedMessage())
                  .contains("output=\"x 12:00:00.000 WARN forged yyy")
                  .doesNotContain("\n", "\u001b")
                  .hasSizeLessThan(400));
    } finally {
      log.setLevel(null);
      log.detachAppender(lines);
    }
  }

  @Test
  @DisplayName("MW-13 restarts are on hold while a named condition of the node is True")
  void holdsOnCondition() {
    String named = "guard: {holdOnConditions: [DiskUnresponsive]}";
    assertThat(allows(named, "web")).isTrue();
    gate.conditions().conditionChanged(condition("KernelDeadlock", ConditionStatus.TRUE));
    assertThat(allows(named, "web")).as("not named").isTrue();
    gate.conditions().conditionChanged(condition("DiskUnresponsive", ConditionStatus.TRUE));
    assertThat(allows(named, "web")).isFalse();
    assertThat(reported).containsExactly("RestartHeld");
    assertThat(gate.guardView().trouble())
        .isEqualTo("node condition DiskUnresponsive is True, reason IoError");
    assertThat(allows("guard: {holdOnConditions: [KernelDeadlock], enabled: false}", "web"))
        .isTrue();
    assertThat(allows("", "web")).as("none is named").isTrue();

    gate.conditions().conditionChanged(condition("DiskUnresponsive", ConditionStatus.UNKNOWN));
    assertThat(allows(named, "web")).isTrue();
    gate.conditions().conditionChanged(condition("DiskUnresponsive", ConditionStatus.TRUE));
    gate.conditions().watching(List.of());
    assertThat(allows(named, "web")).as("its monitor was removed").isTrue();
  }

  private static Condition condition(String type, ConditionStatus status) {
    return new Condition(type, status, Instant.EPOCH, Instant.EPOCH, "IoError", "sda", List.of());
  }

  @Test
  @DisplayName("A8 enforce on a pod in an observed namespace stops nothing")
  void onlyLess() {
    KnownPodsFixture.add(pods, "raises", Enforcement.ENFORCE);
    KnownPodsFixture.add(pods, "lowers", Enforcement.OBSERVE);
    KnownPodsFixture.add(pods, "silent", null);
    assertThat(allows(OBSERVED, "raises")).isFalse();
    assertThat(allows(OBSERVED, "silent")).isFalse();
    assertThat(allows(NO_GUARD, "raises")).isTrue();
    assertThat(allows(NO_GUARD, "lowers")).isFalse();
    assertThat(allows(OBSERVED + "policy: {preset: trusted}", "raises")).isTrue();
    assertThat(allows(OBSERVED + "policy: {preset: trusted}", "silent")).isFalse();
    assertThat(reported).as("once for an instance").containsExactly("observed raises");
  }

  @Test
  @DisplayName("the guard goes by containers that run, whatever finished before")
  void finishedJobs() {
    KnownPodsFixture.add(pods, "p0", null);
    for (int container = 0; container < 30; container++) {
      ends(container, new Verdict.Success("ok"));
    }
    for (int container = 6; container < 18; container++) {
      gate.workerEnded(probe(container));
    }
    for (int container = 18; container < 30; container++) {
      gate.containerChanged(
          null,
          new ContainerStatus(
              probe(container).pod(),
              "web",
              ContainerObservation.terminated("id", null, 0, 0),
              false,
              false));
    }
    for (int container = 0; container < 5; container++) {
      assertThat(allows("enforcement: {mode: enforce}\n", "p0")).isTrue();
      ends(container, new Verdict.Failure("no"));
    }
    assertThat(allows("enforcement: {mode: enforce}\n", "p0")).isFalse();
  }

  private static ProbeSubject probe(int container) {
    String pod = "p" + container;
    return new ProbeSubject(new PodRef("shop", pod, "uid-" + pod), "web", ProbeKind.LIVENESS);
  }

  private void ends(int container, Verdict verdict) {
    gate.probed(
        new Probed(
            probe(container),
            "id",
            new ProbeOutcome(verdict, ProbeTimings.of(1)),
            1,
            1,
            Duration.ZERO,
            Duration.ZERO));
  }

  @Test
  @DisplayName("a pod that the API server has no longer is treated as its namespace says")
  void unknown() {
    assertThat(allows(OBSERVED, "gone")).isFalse();
    assertThat(allows(NO_GUARD, "gone")).isTrue();
  }
}
