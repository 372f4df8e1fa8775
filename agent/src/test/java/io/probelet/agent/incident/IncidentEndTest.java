package io.probelet.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ContainerSpec.RestartRule;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.incident.CauseType;
import io.probelet.web.incident.Causes;
import io.probelet.web.incident.IncidentKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is recorded of an instance that ended. */
class IncidentEndTest extends IncidentFixture {
  @Test
  @DisplayName("the end of an instance that the agent killed completes its record")
  void endOfKilled() {
    recorder.containerChanged(null, now);
    fails(ProbeKind.LIVENESS, 3);
    recorder.restartDecided(decision());
    awaitRecorded(1);
    ContainerStatus next =
        status("b", "image:1", 1, new Termination(137, 9, "Error", "", clock.wallTime()));
    recorder.containerChanged(now, next);
    assertThat(recorded())
        .singleElement()
        .satisfies(incident ->
            assertThat(incident.end())
                .isNotNull()
                .satisfies(end -> assertThat(end.exitCode()).isEqualTo(137)));
  }

  @Test
  @DisplayName("another end is an incident of its own, with the image that was replaced")
  void ended() {
    recorder.containerChanged(null, now);
    ContainerStatus next =
        status("b", "image:2", 1, new Termination(143, 15, "Error", "", clock.wallTime()));
    now = next;
    recorder.containerChanged(status("a", "image:1", 0, null), next);
    recorder.containerChanged(
        next, status("b", "image:2", 1, next.observation().details().lastTermination()));
    assertThat(recorded())
        .singleElement()
        .satisfies(incident -> {
          assertThat(incident.kind()).isEqualTo(IncidentKind.ENDED);
          assertThat(incident.containerId()).isEqualTo("a");
          assertThat(Causes.of(incident).type()).isEqualTo(CauseType.IMAGE_CHANGED);
        });
  }

  @Test
  @DisplayName("an end has the last lines of the instance that ended, not of the next one")
  void logOfInstance() throws IOException {
    logLines = 5;
    Path first = Files.writeString(folder.resolve("0.log"), "lookup db: no such host\n");
    Path second = Files.writeString(folder.resolve("1.log"), "starting\n");
    ContainerStatus before = logging("a", first, null);
    recorder.containerChanged(null, before);
    now = logging("b", second, new Termination(1, 0, "Error", "", clock.wallTime()));
    recorder.containerChanged(before, now);
    assertThat(recorded())
        .singleElement()
        .satisfies(each -> assertThat(each.log()).containsExactly("lookup db: no such host"));
  }

  @Test
  @DisplayName("output that reaches the log after the end is waited for")
  void lateOutput() throws IOException {
    logLines = 5;
    Path log = Files.createFile(folder.resolve("0.log"));
    AtomicInteger asked = new AtomicInteger();
    logAsked =
        () -> {
          if (asked.incrementAndGet() == 2) { // the first reading is over
            try {
              Files.writeString(log, "lookup db: no such host\n");
            } catch (IOException unexpected) {
              throw new UncheckedIOException(unexpected);
            }
          }
        };
    recorder.containerChanged(null, logging("a", log, null));
    now = logging("b", log, new Termination(1, 0, "Error", "", clock.wallTime()));
    recorder.containerChanged(logging("a", log, null), now);
    assertThat(recorded())
        .singleElement()
        .satisfies(each -> assertThat(each.log()).containsExactly("lookup db: no such host"));
  }

  @Test
  @DisplayName("D-23 an end that follows a rule of another container is a restart of the pod")
  void restartedByRule() {
    ContainerSpec worker =
        new ContainerSpec(
            "worker",
            false,
            RestartPolicy.NEVER,
            List.of(new RestartRule(true, Set.of(42), true)),
            Map.of(),
            Map.of(),
            Map.of());
    ContainerObservation ended =
        ContainerObservation.running("w", Instant.parse("2026-11-27T09:59:50Z"), 0)
            .with(ContainerDetails.ended(new Termination(42, 0, "Error", "", clock.wallTime())));
    beside =
        List.of(
            new ContainerSnapshot(
                new ContainerStatus(POD, "worker", ContainerRole.REGULAR, ended, true, true),
                true,
                List.of(),
                new ProbeTarget(POD, worker, "w", "10.0.0.1")));
    recorder.containerChanged(null, now);
    clock.advance(Duration.ofSeconds(2));
    ContainerStatus before = now;
    now = status("b", "image:1", 1, new Termination(143, 15, "Error", "", clock.wallTime()));
    recorder.containerChanged(before, now);
    clock.advance(Duration.ofMinutes(3));
    ContainerStatus later =
        status("c", "image:1", 2, new Termination(143, 15, "Error", "", clock.wallTime()));
    recorder.containerChanged(now, later);
    assertThat(recorded())
        .extracting(incident -> Causes.of(incident).type())
        .containsExactlyInAnyOrder(CauseType.POD_RESTARTED, CauseType.STOPPED_BY_OTHERS);
  }

  @Test
  @DisplayName("an end before the agent's start is told if it is recent, once")
  void endBeforeStart() {
    Termination old =
        new Termination(1, 0, "Error", "", clock.wallTime().minus(Duration.ofHours(3)));
    recorder.containerChanged(null, status("b", "image:1", 1, old));
    Termination recent =
        new Termination(1, 0, "Error", "", clock.wallTime().minus(Duration.ofMinutes(3)));
    PodRef other = new PodRef("shop", "web-1", "uid2");
    ContainerStatus seen =
        new ContainerStatus(
            other, "web", status("c", "image:1", 1, recent).observation(), true, true);
    recorder.containerChanged(null, seen);
    assertThat(recorded())
        .singleElement()
        .satisfies(incident -> assertThat(Causes.of(incident).type()).isEqualTo(CauseType.CRASH));
  }
}
