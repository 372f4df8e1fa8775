package io.probelet.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.hook.PreKillListener.Report;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.incident.CauseType;
import io.probelet.web.incident.Causes;
import io.probelet.web.incident.IncidentKind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is recorded, from what evidence, and what is not. */
class IncidentRecorderTest extends IncidentFixture {
  @Test
  @DisplayName("a kill has the outcomes, the kernel's counts of the failing time and the node")
  void killed() {
    recorder.containerChanged(null, now);
    probed(ProbeKind.LIVENESS, 1, FINE);
    fails(ProbeKind.LIVENESS, 3);
    recorder.restartDecided(decision());
    assertThat(recorded())
        .singleElement()
        .satisfies(incident -> {
          assertThat(incident.kind()).isEqualTo(IncidentKind.KILLED);
          assertThat(incident.workload()).isEqualTo("StatefulSet/web");
          assertThat(incident.node().conditions()).containsExactly("DiskPressure");
          assertThat(incident.probe()).isNotNull();
          assertThat(incident.probe().port()).isEqualTo(8080);
          assertThat(incident.probe().outcomes()).hasSize(3);
          assertThat(incident.probe().succeeded()).isTrue();
          assertThat(incident.probe().startMs()).isEqualTo(11_000);
          assertThat(incident.kernel()).isNotNull();
          assertThat(incident.kernel().windowMs()).isEqualTo(2000);
          assertThat(incident.kernel().throttledPercent()).isEqualTo(90);
          assertThat(Causes.of(incident).type()).isEqualTo(CauseType.CPU_LIMIT);
        });
    assertThat(told).hasSize(1);
    assertThat(readings).as("at the first failure and at the decision").hasSize(2);
  }

  @Test
  @DisplayName("a reading that comes late counts from when it came")
  void lateReading() {
    slowKernel = new CompletableFuture<>();
    recorder.containerChanged(null, now);
    fails(ProbeKind.LIVENESS, 1);
    CompletableFuture<ContainerEvidence> first = slowKernel;
    slowKernel = null;
    clock.advance(Duration.ofMillis(2800));
    first.complete(new ContainerEvidence(null, 7L, null, null, null, null));
    clock.advance(Duration.ofMillis(200));
    slowKernel =
        CompletableFuture.completedFuture(new ContainerEvidence(null, 7L, null, null, null, null));
    recorder.probed(probed(3));
    recorder.restartDecided(decision());
    assertThat(recorded())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.kernel()).isNotNull();
          assertThat(each.kernel().windowMs()).isEqualTo(200);
          assertThat(each.kernel().cpuMillis()).as("too short to tell").isNull();
        });
  }

  @Test
  @DisplayName("the output of a preKill command is in the record of the kill, if that is allowed")
  void preKill() {
    logLines = 2;
    recorder.containerChanged(null, now);
    fails(ProbeKind.LIVENESS, 3);
    Report report = new Report("exit code 0", "thread 1\npassword=hunter2\nthread 3\n");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger log = (Logger) LoggerFactory.getLogger(PreKillOutput.class);
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.INFO);
    try {
      recorder.ended(decision(), report);
    } finally {
      log.detachAppender(lines);
      log.setLevel(null);
    }
    assertThat(lines.list)
        .singleElement()
        .satisfies(line ->
            assertThat(line.getFormattedMessage())
                .contains("thread 1")
                .contains("thread 3")
                .doesNotContain("hunter2"));
    recorder.restartDecided(decision());
    assertThat(recorded())
        .singleElement()
        .satisfies(incident ->
            assertThat(incident.log())
                .hasSize(3)
                .startsWith("preKill: exit code 0", "thread 1")
                .noneMatch(line -> line.contains("hunter2")));
  }

  @Test
  @DisplayName("without permission the output of a preKill command is not recorded")
  void preKillNotAllowed() {
    recorder.containerChanged(null, now);
    fails(ProbeKind.LIVENESS, 3);
    recorder.restartDecided(decision());
    recorder.ended(decision(), new Report("exit code 0", "thread 1"));
    assertThat(recorded())
        .singleElement()
        .satisfies(incident -> assertThat(incident.log()).isEmpty());
  }

  @Test
  @DisplayName("readiness that fails is one incident for each streak, whatever its length")
  void unready() {
    recorder.containerChanged(null, now);
    fails(ProbeKind.READINESS, 30);
    probed(ProbeKind.READINESS, 1, FINE);
    clock.advance(Duration.ofMinutes(1));
    fails(ProbeKind.READINESS, 3);
    probed(ProbeKind.READINESS, 1, FINE);
    fails(ProbeKind.READINESS, 3); // within a minute: flapping
    assertThat(recorded())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.kind()).isEqualTo(IncidentKind.UNREADY));
    assertThat(readings).hasSize(6);
  }

  @Test
  @DisplayName("a probe that decides at its first failure is looked at twice")
  void threshold1() {
    threshold = 1;
    recorder.containerChanged(null, now);
    probed(ProbeKind.READINESS, 1, SLOW);
    assertThat(readings).containsExactly(Duration.ZERO, Duration.ofSeconds(1));
    assertThat(recorded())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.kernel()).isNotNull();
          assertThat(each.kernel().windowMs()).isEqualTo(1000);
        });
  }

  @Test
  @DisplayName("healthy probes read nothing, and an init container that succeeded is no incident")
  void nothing() {
    recorder.containerChanged(null, now);
    probed(ProbeKind.LIVENESS, 1, FINE);
    probed(ProbeKind.LIVENESS, 2, FINE);
    recorder.containerChanged(
        now, status("a", "image:1", 0, new Termination(0, 0, "Completed", "", clock.wallTime())));
    assertThat(recorded()).isEmpty();
    assertThat(readings).isEmpty();
  }

  @Test
  @DisplayName("where its pod is gone nothing is recorded, and that is counted")
  void gone() {
    podGone = true;
    fails(ProbeKind.LIVENESS, 3);
    recorder.restartDecided(decision());
    assertThat(recorded()).isEmpty();
    assertThat(recorder.missed()).isEqualTo(1);
  }

  @Test
  @DisplayName("a kernel that does not answer holds up a bounded number of records")
  void bounded() {
    slowKernel = new CompletableFuture<>();
    recorder.containerChanged(null, now);
    fails(ProbeKind.LIVENESS, 3);
    for (int i = 0; i < IncidentWriter.MAX_OF_NAMESPACE + 3; i++) {
      recorder.restartDecided(decision());
    }
    assertThat(recorder.missed()).isEqualTo(3);
    slowKernel.complete(ContainerEvidence.NONE);
    assertThat(recorded()).hasSize(IncidentWriter.MAX_OF_NAMESPACE);
  }
}
