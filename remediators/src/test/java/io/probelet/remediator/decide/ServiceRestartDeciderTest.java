package io.probelet.remediator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.decide.Action.GrantOrder;
import io.probelet.remediator.decide.Action.PutOrder;
import io.probelet.remediator.decide.Action.WithdrawOrder;
import io.probelet.remediator.resource.NodeConditionStatus;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import io.probelet.remediator.resource.ServiceRestartSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ServiceRestartDeciderTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ServiceRestartSpec SPEC =
      new ServiceRestartSpec(
          List.of("kubelet.service"),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          List.of(NodeConditionStatus.READY));

  private final ServiceRestartDecider decider = new ServiceRestartDecider();
  private RemediationProgress status =
      RemediationProgress.NONE.begun(
          RemediationPhase.EVIDENCE, "worker-1", "b00t-1", "begun", START);
  private JsonNode order = MissingNode.getInstance();
  private Instant now = START;
  private String ready = "False";

  private Step next() {
    Step step =
        decider.next(
            new Situation<>(
                new RemediationRequest<>(
                    RemediationKind.SERVICE_RESTART,
                    new ObjectRef(
                        "probelet.io/v1alpha1", "ServiceRestartRemediation", "ns", "worker-1"),
                    "uid-r",
                    "1",
                    START,
                    "worker-1",
                    SPEC,
                    status,
                    false,
                    List.of(),
                    Map.of()),
                new ObservedNode(
                    "worker-1",
                    "uid-n",
                    "5",
                    "b00t-1",
                    false,
                    Map.of("Ready", ready),
                    List.of(),
                    Map.of(),
                    Map.of()),
                order,
                NoObservation.NOTHING,
                List.of(),
                now));
    status = step.status();
    return step;
  }

  private void put(JsonNode spec) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object
        .putObject("metadata")
        .put("name", "worker-1")
        .put("uid", "uid-o")
        .put("resourceVersion", "9");
    ObjectNode written = spec.deepCopy();
    written
        .putObject("remediation")
        .put("kind", "ServiceRestartRemediation")
        .put("namespace", "ns")
        .put("name", "worker-1")
        .put("uid", "uid-r");
    object.set("spec", written);
    order = object;
  }

  private void says(String phase, String message) {
    ((ObjectNode) order)
        .putObject("status")
        .put("phase", phase)
        .put("bootID", "b00t-1")
        .put("message", message);
  }

  private void granted() {
    ((ObjectNode) order.get("spec")).put("granted", true);
  }

  private void later(int seconds) {
    now = now.plusSeconds(seconds);
  }

  /** Up to the grant. */
  private void order() {
    Step first = next();
    assertThat(first.status().phase()).isEqualTo(RemediationPhase.ORDERED);
    assertThat(first.actions()).hasSize(1);
    PutOrder created = (PutOrder) first.actions().getFirst();
    assertThat(created.spec())
        .hasToString(
            "{\"action\":\"RestartServices\",\"units\":[\"kubelet.service\"],\"bootID\":\"b00t-1\","
                + "\"timeoutSeconds\":60,\"reason\":\"ordered by ServiceRestartRemediation"
                + " ns/worker-1\",\"granted\":false}");
    put(created.spec());
    assertThat(next().actions()).isEmpty(); // its status says that it is there
    says("Claimed", "");
    assertThat(next().actions()).containsExactly(new GrantOrder("worker-1", "uid-o", "9"));
    granted();
  }

  @Test
  @DisplayName("ACT-40, ACT-42: ordered, carried out, healthy")
  void succeeds() {
    order();
    says("Started", "");
    later(20);
    assertThat(next().actions()).isEmpty();
    says("Done", "kubelet.service is active");
    Step done = next();
    assertThat(done.status().phase()).isEqualTo(RemediationPhase.WAITING);
    assertThat(done.actions()).containsExactly(new WithdrawOrder("worker-1", "uid-o"));
    order = MissingNode.getInstance();
    later(10);
    Step waiting = next();
    assertThat(waiting.status().message())
        .isEqualTo("restarted kubelet.service; the node still has Ready=False (not True)");
    assertThat(waiting.again()).contains(OrderCourse.SOON);
    ready = "True";
    assertThat(next().status().phase()).isEqualTo(RemediationPhase.DONE);
    assertThat(status.status("Succeeded")).contains("True");
  }

  @Test
  @DisplayName("ACT-42: a node that does not become healthy has failed")
  void staysUnhealthy() {
    order();
    says("Done", "kubelet.service is active");
    next();
    order = MissingNode.getInstance();
    later(300);
    assertThat(next().status().message())
        .isEqualTo("5m0s after restarting kubelet.service, the node has Ready=False (not True)");
    assertThat(status.status("Succeeded")).contains("False");
  }

  @Test
  @DisplayName("ACT-38: a node that does not answer has failed, so that the next template follows")
  void noAnswer() {
    Step first = next();
    put(((PutOrder) first.actions().getFirst()).spec());
    next();
    later(60);
    assertThat(next().status().message()).isEqualTo("no agent claimed the order in time");
    assertThat(status.phase()).isEqualTo(RemediationPhase.FAILED);
  }

  @Test
  void whatTheNodeSaysIsPassedOn() {
    order();
    says("Failed", "kubelet.service is failed");
    assertThat(next().status().message()).isEqualTo("kubelet.service is failed");
    assertThat(status.phase()).isEqualTo(RemediationPhase.FAILED);
  }

  @Test
  @DisplayName("ACT-37: a crash before the order is created creates it, one after it does not")
  void crashes() {
    Step first = next();
    assertThat(next().actions()).isEqualTo(first.actions()); // it was not created
    put(((PutOrder) first.actions().getFirst()).spec());
    next();
    order = MissingNode.getInstance();
    assertThat(next().status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(status.message()).contains("another client deleted the order");
  }

  @Test
  @DisplayName("ACT-34: no order without a boot that it is for")
  void noBootId() {
    status =
        RemediationProgress.NONE.begun(RemediationPhase.EVIDENCE, "worker-1", "", "begun", START);
    assertThat(next().status().message()).contains("no status.nodeInfo.bootID");
    assertThat(status.phase()).isEqualTo(RemediationPhase.FAILED);
  }
}
