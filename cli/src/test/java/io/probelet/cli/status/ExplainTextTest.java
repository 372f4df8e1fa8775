package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.Snapshots;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.explain.Explanations;
import io.probelet.web.explain.RestartForecast;
import io.probelet.web.http.Containers;
import io.probelet.web.http.Containers.Warnings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code probelet explain} prints, by golden text. */
class ExplainTextTest {
  @Test
  @DisplayName("prints probe, last results and next steps, without control characters")
  void text() throws Exception {
    ContainerSnapshot web =
        Snapshots.running(
            "shop",
            "web",
            "nginx",
            Snapshots.failing(ProbeKind.LIVENESS, "httpGet", "\u001b[2J\u202erefused\nroot#"));
    assertThat(explained(web))
        .isEqualTo(
            """
            shop/web/nginx
              Running, ready, 1 restart, started 5s ago
              Log: kubectl logs -n shop web -c nginx

            liveness: Success
              Probe:
                FIELD                    VALUE                           SET BY
                httpGet                  GET http://<pod>:8080/healthz   default
                initialDelay             0s                              default
                period                   10s                             default
                timeout                  1s                              default
                successThreshold         1                               default
                failureThreshold         3                               default
                terminationGracePeriod   the pod's                       default
              Last results:
                2s ago  failed in 2.5 ms: \\u001b[2J\\u202erefused root#
              Next:
                Next probe: in 8s
                One more failure in a row and it is restarted.
                One success resets the count.\
            """);
  }

  @Test
  void namesCauseOfCrashLoop() throws Exception {
    ContainerObservation seen =
        ContainerObservation.waiting("id", 3, "CrashLoopBackOff")
            .startingAgain(Snapshots.NOON.plusSeconds(25))
            .with(
                new ContainerDetails(
                    "back-off 20s",
                    new Termination(137, 0, "OOMKilled", "too\nlarge", Snapshots.NOON),
                    "/var/log/c.log"));
    assertThat(explained(Snapshots.container("shop", "web", "nginx", seen, false, false)))
        .isEqualTo(
            """
            shop/web/nginx
              CrashLoopBackOff, not ready, 3 restarts, starts again in 20s
              Reason: "back-off 20s"
              Last termination: exit code 137 (SIGKILL), OOMKilled, 5s ago: "too large"
              Log: /var/log/c.log

            No probes.\
            """);
  }

  @Test
  void namesWhatInitializingPodWaitsFor() throws Exception {
    ContainerObservation seen = ContainerObservation.waiting("", 0, "PodInitializing");
    assertThat(explained(Snapshots.container("shop", "web", "nginx", seen, false, false)))
        .endsWith(
            "Waits for the pod's init containers: see how they are with `probelet explain -n shop"
                + " web`.");
    ContainerStatus init =
        new ContainerStatus(
            new PodRef("shop", "web", "u"),
            "migrate",
            ContainerRole.INIT,
            ContainerObservation.terminated("id", Snapshots.NOON, 1, 2),
            false,
            false);
    assertThat(explained(new ContainerSnapshot(init, true, List.of(), Snapshots.target(init))))
        .contains("  Init container: Error, not ready, 2 restarts")
        .endsWith("Init container: the containers after it start once it has exited with code 0.");
  }

  @Test
  void namesConfigurationWithoutEffect() throws Exception {
    ContainerSnapshot container = Snapshots.running("shop", "web", "nginx");
    assertThat(explained(container, (_, name) -> List.of(name + ".readiness has\nno effect")))
        .contains("  Warning: nginx.readiness has no effect\n  Log: ");
    assertThat(explained(container)).doesNotContain("Warning");
  }

  private static String explained(ContainerSnapshot container) throws Exception {
    return explained(container, Warnings.NONE);
  }

  private static String explained(ContainerSnapshot container, Warnings warnings) throws Exception {
    ExplainView view =
        new Explanations(
                new Containers(
                    (_, _) -> CompletableFuture.completedFuture(List.of(container)), warnings),
                RestartForecast.UNGUARDED)
            .of((_, _) -> true)
            .getFirst();
    return String.join("\n", ExplainText.of(view, Snapshots.NOON.plusSeconds(5)));
  }
}
