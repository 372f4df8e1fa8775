package io.probelet.web.api;

import static io.probelet.web.Snapshots.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.Snapshots;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why a container is broken, in words. */
class ContainerCauseTest {
  @ParameterizedTest
  @CsvSource({
    "3,   Error,              exit code 3",
    "0,   Completed,          exit code 0",
    "139, Error,              exit code 139 (SIGSEGV)",
    "137, OOMKilled,          'exit code 137 (SIGKILL), OOMKilled'",
    "127, ContainerCannotRun, 'exit code 127, ContainerCannotRun'",
  })
  void tellsHowAnInstanceEnded(int exitCode, String reason, String words) {
    assertThat(ContainerCause.ended(view(exitCode, reason, ""))).isEqualTo(words);
  }

  @Test
  void tellsTheCauseTheNextStartAndTheLog() {
    ContainerObservation seen =
        ContainerObservation.waiting("id", 3, "CrashLoopBackOff")
            .startingAgain(NOON.plusSeconds(20))
            .with(
                new ContainerDetails(
                    "back-off 20s",
                    new Termination(1, 0, "Error", "no database", NOON),
                    "/var/log/c.log"));
    assertThat(phrases(seen))
        .containsExactly(
            "\"back-off 20s\"",
            "exit code 1, <2026-11-21T12:00:00.000Z>: \"no database\"",
            "starts again <2026-11-21T12:00:20.000Z>",
            "log: /var/log/c.log");
  }

  @Test
  void tellsWhyAnImageCannotBePulled() {
    ContainerObservation seen =
        ContainerObservation.waiting("", 0, "ImagePullBackOff")
            .with(ContainerDetails.NONE.saying("Back-off pulling image \"nginx:nope\""));
    assertThat(ContainerView.of(container(seen), 1).state()).isEqualTo("ImagePullBackOff");
    assertThat(phrases(seen))
        .containsExactly(
            "\"Back-off pulling image \\\"nginx:nope\\\"\"",
            "log: kubectl logs -n shop app -c main");
  }

  @Test
  void quotesWhatATenantWrites() {
    String hostile = "ok\"; all is well\u001b[2J\n\u202eevil \\" + "x".repeat(5_000);
    String quoted = ContainerCause.quoted(hostile, 40);
    assertThat(quoted).startsWith("\"ok\\\"; all is well evil \\\\").endsWith("…\"");
    assertThat(quoted.length()).isLessThan(60);
    assertThat(quoted.chars()).noneMatch(Character::isISOControl);
  }

  @Test
  void readsWhatAnEarlierAgentAnswers() throws IOException {
    String earlier =
        """
        [{"namespace":"n","pod":"p","container":"c","id":"i","state":"CrashLoopBackOff","ready":false,
          "started":false,"restartCount":2,"startedAt":null,"nextStart":null,"probes":[]}]
        """;
    ContainerView view =
        ViewJson.readAll(earlier.getBytes(StandardCharsets.UTF_8), ContainerView.class).getFirst();
    assertThat(view.role()).isEmpty();
    assertThat(view.lastTermination()).isNull();
    assertThat(ContainerHealth.of(view).severity()).isEqualTo(Severity.UNHEALTHY);
    assertThat(ContainerCause.matters(view, NOON)).isFalse();
    assertThat(ContainerCause.log(view)).isEqualTo("kubectl logs -n n p -c c");
  }

  @Test
  void anEndMattersWhileItIsRecent() {
    ContainerObservation restarted =
        ContainerObservation.running("id", NOON, 1)
            .with(ContainerDetails.ended(new Termination(137, 0, "OOMKilled", "", NOON)));
    ContainerView view =
        ContainerView.of(Snapshots.container("shop", "app", "main", restarted, true, true), 1);
    assertThat(ContainerCause.matters(view, NOON.plusSeconds(599))).isTrue();
    assertThat(ContainerCause.matters(view, NOON.plusSeconds(600))).isFalse();
    assertThat(ContainerCause.log(view)).isEqualTo("kubectl logs -n shop app -c main --previous");
  }

  private static List<String> phrases(ContainerObservation seen) {
    return ContainerCause.phrases(
        ContainerView.of(container(seen), 1), time -> "<" + time + ">", 100);
  }

  private static io.probelet.probe.engine.ContainerSnapshot container(ContainerObservation seen) {
    return Snapshots.container("shop", "app", "main", seen, false, false);
  }

  private static TerminationView view(int exitCode, String reason, String message) {
    return TerminationView.of(new Termination(exitCode, 0, reason, message, null));
  }
}
