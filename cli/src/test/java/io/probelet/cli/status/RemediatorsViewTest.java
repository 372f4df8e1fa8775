package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.fleet.terminal.Terminal;
import io.probelet.remediator.controller.RemediatorReport;
import io.probelet.remediator.controller.RemediatorReport.KindState;
import io.probelet.remediator.controller.RemediatorReport.Standing;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.web.remediation.RemediatorsView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RemediatorsViewTest {
  private static final RemediatorReport REPORT =
      new RemediatorReport(
          List.of(
              new KindState(RemediationKind.DRAIN, ""),
              new KindState(RemediationKind.HOOK, "the API server does not serve it")),
          List.of(
              new Standing(
                  RemediationKind.DRAIN,
                  "fix",
                  "n1",
                  "n1",
                  RemediationPhase.DRAINING,
                  Instant.parse("2026-03-01T12:00:00Z"),
                  "",
                  "1 pod is left: web/a"),
              held("n2", "NodeBusy", "NodeBusy: node n1 is remediated"),
              held("n3", "", "<script>: x")));

  private static Standing held(String name, String reason, String message) {
    return new Standing(
        RemediationKind.DRAIN, "fix", name, "n1", RemediationPhase.HELD, null, reason, message);
  }

  @Test
  void table() throws Exception {
    RemediatorsView view = RemediatorsView.of(Optional.of(REPORT), "me");
    assertThat(view.isFine()).isFalse();
    assertThat(RemediationTable.lines(view, Terminal.UNLIMITED))
        .containsExactly(
            "HookRemediation is not carried out: the API server does not serve it",
            "REMEDIATION           NODE   PHASE      SINCE                  MESSAGE",
            "DrainRemediation/n1   n1     Draining   2026-03-01T12:00:00Z   1 pod is left: web/a",
            "DrainRemediation/n2   n1     Held       -                      NodeBusy: node n1 is"
                + " remediated",
            "DrainRemediation/n3   n1     Held       -                      <script>: x");
    assertThat(RemediatorsView.parse(view.json().getBytes(StandardCharsets.UTF_8))).isEqualTo(view);
  }

  @Test
  void otherReplica() {
    assertThat(
            RemediationTable.lines(RemediatorsView.of(Optional.empty(), "you"), Terminal.UNLIMITED))
        .containsExactly("Remediators: ask the leader, you.");
    assertThat(RemediationTable.lines(RemediatorsView.NONE, Terminal.UNLIMITED)).isEmpty();
    assertThat(RemediatorsView.NONE.isFine()).isTrue();
  }

  @Test
  void inStatus() throws Exception {
    byte[] remediation =
        "{\"leading\":true,\"nodeHealthChecks\":[]}".getBytes(StandardCharsets.UTF_8);
    RemediationStatus status =
        RemediationStatus.read(remediation, RemediatorsView.of(Optional.of(REPORT), "me"));
    StringWriter text = new StringWriter();
    text.write(String.join("\n", status.lines(Terminal.UNLIMITED)) + "\n");
    status.printJson(new PrintWriter(text));
    assertThat(text.toString()).contains("Draining").contains("\"remediators\":{\"leading\":true,");
    assertThat(status.isFine()).isFalse();
  }
}
