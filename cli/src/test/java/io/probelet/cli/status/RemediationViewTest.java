package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.fleet.terminal.Terminal;
import io.probelet.nodehealth.controller.RemediationReport;
import io.probelet.nodehealth.controller.RemediationReport.CheckReport;
import io.probelet.nodehealth.controller.RemediationReport.Hold;
import io.probelet.nodehealth.controller.RemediationReport.NodeReport;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediatorsView;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RemediationViewTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static final RemediationReport REPORT =
      new RemediationReport(
          List.of(
              new CheckReport(
                  "workers",
                  Phase.REMEDIATING,
                  "NHC is remediating 2 nodes",
                  5,
                  3,
                  List.of(
                      new NodeReport(
                          "n1",
                          "Ready=Unknown",
                          NOON,
                          List.of(
                              new TrackedRemediation(
                                  new ObjectRef("e/v1", "Reboot", "remedies", "n1"),
                                  "u1",
                                  NOON.plusSeconds(301),
                                  NOON.plusSeconds(601),
                                  "reboot")),
                          new Hold("NoTemplateLeft", "timed out, and no template is left after 1")),
                      new NodeReport("n22", null, null, List.of(), null)))));

  @Test
  @DisplayName("RB-5 the API has one reason for each node that is held back")
  void json() {
    assertThat(RemediationView.of(Optional.of(REPORT), "me").json())
        .isEqualTo(
            """
            {"leading":true,"leader":"me","nodeHealthChecks":[{"name":"workers",\
            "phase":"Remediating","reason":"NHC is remediating 2 nodes","observedNodes":5,\
            "healthyNodes":3,"unhealthyNodes":[{"name":"n1","condition":"Ready=Unknown",\
            "since":"2026-01-01T12:00:00Z","remediations":[{"kind":"Reboot",\
            "namespace":"remedies","name":"n1","started":"2026-01-01T12:05:01Z",\
            "timedOut":"2026-01-01T12:10:01Z"}],"heldBack":"NoTemplateLeft",\
            "why":"timed out, and no template is left after 1"},\
            {"name":"n22","remediations":[]}]}]}\
            """);
  }

  @Test
  @DisplayName("RB-5 the table has the reason for each node that is held back")
  void table() throws IOException {
    assertThat(printed(RemediationView.of(Optional.of(REPORT), "me")))
        .isEqualTo(
            """
            workers: Remediating, 3 of 5 nodes healthy (NHC is remediating 2 nodes)

            NODEHEALTHCHECK   NODE   CONDITION       REMEDIATION             HELD BACK
            workers           n1     Ready=Unknown   Reboot/n1 (timed out)   timed out, and no \
            template is left after 1
            workers           n22    healthy again   -                       -
            """);
  }

  @Test
  void tableFitsNarrowWindow() throws IOException {
    assertThat(status(RemediationView.of(Optional.of(REPORT), "me")).lines(60).stream().skip(1))
        .contains("NODE   CONDITION       HELD BACK")
        .anyMatch(line -> line.endsWith("timed out, and no template is left a…"))
        .allMatch(line -> line.length() <= 60);
  }

  @Test
  void standby() throws IOException {
    assertThat(printed(RemediationView.of(Optional.empty(), "other")))
        .isEqualTo("This process is on standby; ask the leader, other.\n");
    assertThat(printed(RemediationView.of(Optional.empty(), null)))
        .isEqualTo("This process is on standby; no leader is elected yet.\n");
    assertThat(printed(RemediationView.of(Optional.of(new RemediationReport(List.of())), "me")))
        .isEqualTo("No NodeHealthChecks.\n");
  }

  @Test
  void isFineOnlyIfNoNodeIsHeldBack() throws IOException {
    assertThat(status(RemediationView.of(Optional.of(REPORT), "me")).isFine()).isFalse();
    assertThat(status(RemediationView.of(Optional.empty(), "other")).isFine()).isFalse();
    assertThat(
            status(RemediationView.of(Optional.of(new RemediationReport(List.of())), "me"))
                .isFine())
        .isTrue();
  }

  private static RemediationStatus status(RemediationView view) throws IOException {
    return RemediationStatus.read(
        view.json().getBytes(StandardCharsets.UTF_8), RemediatorsView.NONE);
  }

  private static String printed(RemediationView view) throws IOException {
    StringWriter text = new StringWriter();
    text.write(String.join("\n", status(view).lines(Terminal.UNLIMITED)) + "\n");
    return text.toString();
  }
}
