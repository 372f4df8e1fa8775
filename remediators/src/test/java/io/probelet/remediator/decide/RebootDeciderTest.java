package io.probelet.remediator.decide;

import static io.probelet.remediator.decide.Situations.drainPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.decide.Action.Cordon;
import io.probelet.remediator.decide.Action.Evict;
import io.probelet.remediator.decide.Action.GrantOrder;
import io.probelet.remediator.decide.Action.PutOrder;
import io.probelet.remediator.decide.Action.WithdrawOrder;
import io.probelet.remediator.decide.DrainPod.End;
import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.RebootMode;
import io.probelet.remediator.resource.RebootSpec;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class RebootDeciderTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final RebootSpec PLAIN =
      new RebootSpec(null, RebootMode.REBOOT, Duration.ofMinutes(1), Duration.ofMinutes(10));
  private static final RebootSpec DRAINED =
      new RebootSpec(
          DrainSpec.DEFAULT, RebootMode.KEXEC, Duration.ofMinutes(1), Duration.ofMinutes(10));

  private final RebootDecider decider = new RebootDecider();
  private RebootSpec spec = PLAIN;
  private RemediationProgress status =
      RemediationProgress.NONE.begun(
          RemediationPhase.EVIDENCE, "worker-1", "b00t-1", "begun", START);
  private JsonNode order = MissingNode.getInstance();
  private Instant now = START;
  private String boot = "b00t-1";
  private boolean cordoned;
  private DrainPods pods = DrainPods.NONE;

  private Step next() {
    Step step =
        decider.next(
            new Situation<>(
                new RemediationRequest<>(
                    RemediationKind.REBOOT,
                    new ObjectRef("probelet.io/v1alpha1", "RebootRemediation", "ns", "worker-1"),
                    "uid-r",
                    "1",
                    START,
                    "worker-1",
                    spec,
                    status,
                    false,
                    List.of(),
                    Map.of()),
                new ObservedNode(
                    "worker-1",
                    "uid-n",
                    "5",
                    boot,
                    cordoned,
                    Map.of("Ready", "False"),
                    List.of(),
                    Map.of(),
                    cordoned ? Map.of(Cordon.MARK, "uid-r") : Map.of()),
                order,
                pods,
                List.of(),
                now));
    status = step.status();
    return step;
  }

  private void put(Step step) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object
        .putObject("metadata")
        .put("name", "worker-1")
        .put("uid", "uid-o")
        .put("resourceVersion", "9");
    ObjectNode written = ((PutOrder) step.actions().getFirst()).spec().deepCopy();
    written.putObject("remediation").put("kind", "RebootRemediation").put("uid", "uid-r");
    object.set("spec", written);
    order = object;
  }

  private void says(String phase, String bootId) {
    ((ObjectNode) order)
        .putObject("status")
        .put("phase", phase)
        .put("bootID", bootId)
        .put("message", "said");
  }

  private void order() {
    put(next());
    next();
    says("Claimed", "b00t-1");
    assertThat(next().actions()).containsExactly(new GrantOrder("worker-1", "uid-o", "9"));
    ((ObjectNode) order.get("spec")).put("granted", true);
    says("Started", "b00t-1");
    next();
  }

  private void later(Duration time) {
    now = now.plus(time);
  }

  @Test
  @DisplayName("ACT-43: ordered, and done when the Node is in another boot")
  void reboots() {
    order();
    assertThat(order.at("/spec/action").asText()).isEqualTo("Reboot");
    assertThat(order.at("/spec/mode").asText()).isEqualTo("Reboot");
    assertThat(order.at("/spec/timeoutSeconds").asInt()).isEqualTo(600);
    later(Duration.ofMinutes(3));
    assertThat(next().status().phase()).isEqualTo(RemediationPhase.ORDERED);
    boot = "b00t-2";
    assertThat(next().status().phase()).isEqualTo(RemediationPhase.DONE);
    assertThat(status.status("Succeeded")).contains("True");
  }

  @Test
  @DisplayName("ACT-43: the agent may be back before the kubelet is, which has its time too")
  void agentFirst() {
    order();
    says("Done", "b00t-2");
    Step done = next();
    assertThat(done.status().phase()).isEqualTo(RemediationPhase.WAITING);
    assertThat(done.actions()).containsExactly(new WithdrawOrder("worker-1", "uid-o"));
    order = MissingNode.getInstance();
    later(Duration.ofMinutes(9));
    assertThat(next().again()).contains(OrderCourse.SOON);
    later(Duration.ofMinutes(1));
    assertThat(next().status().message())
        .isEqualTo("10m0s after the reboot the Node still reports boot ID b00t-1");
    assertThat(status.status("Succeeded")).contains("False");
  }

  @Test
  @DisplayName("ACT-38, ACT-43: a node that does not answer its order has failed")
  void noAnswer() {
    put(next());
    next();
    later(Duration.ofSeconds(59));
    assertThat(next().status().phase()).isEqualTo(RemediationPhase.ORDERED);
    later(Duration.ofSeconds(1));
    assertThat(next().status().message()).isEqualTo("no agent claimed the order in time");
    assertThat(status.status("Succeeded")).contains("False");
  }

  @Test
  @DisplayName("ACT-43: a node that began and is never seen again has failed")
  void wedged() {
    order();
    later(Duration.ofSeconds(60 + 600 + 29));
    assertThat(next().status().phase()).isEqualTo(RemediationPhase.ORDERED);
    later(Duration.ofSeconds(1));
    assertThat(next().status().phase()).isEqualTo(RemediationPhase.FAILED);
  }

  @Test
  @DisplayName("ACT-43: a node that has rebooted by itself needs no order")
  void byItself() {
    boot = "b00t-2";
    Step step = next();
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.DONE);
    assertThat(step.actions()).isEmpty();
  }

  @Test
  @DisplayName("ACT-43: drains before the reboot if the spec has drain")
  void drains() {
    spec = DRAINED;
    pods = new DrainPods(List.of(drainPod(new PodKey("shop", "web", "u"), End.NOT_ASKED)), 0);
    assertThat(next().actions()).hasSize(1).first().isInstanceOf(Cordon.class);
    cordoned = true;
    Step evicting = next();
    assertThat(evicting.status().phase()).isEqualTo(RemediationPhase.DRAINING);
    assertThat(evicting.actions()).hasSize(1).first().isInstanceOf(Evict.class);
    pods = DrainPods.NONE;
    Step ordering = next();
    assertThat(ordering.status().phase()).isEqualTo(RemediationPhase.ORDERED);
    put(ordering);
    assertThat(order.at("/spec/mode").asText()).isEqualTo("Kexec");
  }

  @Test
  @DisplayName("ACT-43: what cannot be drained is not rebooted")
  void notDrained() {
    spec = DRAINED;
    cordoned = true;
    pods = new DrainPods(List.of(drainPod(new PodKey("shop", "web", "u"), End.NOT_ASKED)), 0);
    next();
    later(Duration.ofMinutes(10));
    assertThat(next().status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(status.message()).contains("shop/web");
  }
}
