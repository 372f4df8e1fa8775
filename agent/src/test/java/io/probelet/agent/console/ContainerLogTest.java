package io.probelet.agent.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.Termination;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** From one sighting to the next. */
class ContainerLogTest {
  private static final ContainerObservation UNSEEN = ContainerObservation.waiting("", 0, "");
  private static final ContainerObservation BACK_OFF =
      ContainerObservation.waiting("a", 4, "CrashLoopBackOff");

  static Stream<Arguments> changes() {
    return Stream.of(
        change(null, is(UNSEEN, false, false)),
        change(is(UNSEEN, false, false), is(running("a", 0), false, false), "running"),
        change(is(UNSEEN, false, false), is(running("a", 0), true, true), "running", "ready"),
        change(null, is(running("a", 2), true, true), "running, restart 2", "ready"),
        change(is(running("a", 0), false, false), is(running("a", 0), true, false), "started"),
        change(
            is(running("a", 0), false, false), is(running("a", 0), true, true), "started", "ready"),
        change(is(running("a", 0), true, false), is(running("a", 0), true, true), "ready"),
        change(is(running("a", 0), true, true), is(running("a", 0), true, false), "not ready"),
        change(is(running("a", 0), true, true), is(running("a", 0), true, true)),
        change(
            is(running("a", 0), true, true),
            is(exited("a", 137), false, false),
            "ended with exit code 137 (SIGKILL)"),
        change(
            is(running("a", 0), true, true),
            is(exited("a", 0), false, false),
            "ended with exit code 0"),
        change(
            is(running("a", 0), true, true),
            is(
                exited("a", 1)
                    .with(
                        new ContainerDetails(
                            "",
                            new Termination(1, 0, "OOMKilled", "no\nroom \"left\"", Instant.EPOCH),
                            "/var/log/c.log")),
                false,
                false),
            "ended with exit code 1, OOMKilled: \"no room \\\"left\\\"\", log /var/log/c.log"),
        change(
            is(exited("a", 1), false, false),
            is(
                BACK_OFF
                    .startingAgain(Instant.EPOCH.plusMillis(10_500))
                    .with(ContainerDetails.NONE.saying("back-off 10s")),
                false,
                false),
            "waiting: CrashLoopBackOff until 1970-01-01T00:00:10Z: \"back-off 10s\""),
        change(is(exited("a", 1), false, false), is(exited("a", 1), false, false)),
        change(
            is(exited("a", 1), false, false),
            is(BACK_OFF, false, false),
            "waiting: CrashLoopBackOff"),
        change(is(BACK_OFF, false, false), is(BACK_OFF, false, false)),
        change(is(BACK_OFF, false, false), is(running("b", 5), true, false), "running, restart 5"),
        change(
            is(running("a", 0), true, true),
            is(running("b", 1), true, true),
            "running, restart 1",
            "ready"),
        change(
            is(running("a", 0), true, true),
            is(running("b", 1), false, false),
            "running, restart 1"),
        change(is(running("a", 0), true, true), is(UNSEEN, false, false)));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void tellsWhatIsNew(ContainerStatus before, ContainerStatus now, List<String> news) {
    assertThat(before == null ? ContainerLog.first(now) : ContainerLog.between(before, now))
        .isEqualTo(news);
  }

  private static Arguments change(ContainerStatus before, ContainerStatus now, String... news) {
    return Arguments.of(before, now, List.of(news));
  }

  private static ContainerStatus is(ContainerObservation seen, boolean started, boolean ready) {
    return new ContainerStatus(new PodRef("default", "web", "u"), "nginx", seen, started, ready);
  }

  private static ContainerObservation running(String id, int restarts) {
    return ContainerObservation.running(id, Instant.EPOCH, restarts);
  }

  private static ContainerObservation exited(String id, int code) {
    return ContainerObservation.terminated(id, Instant.EPOCH, code, 0);
  }
}
