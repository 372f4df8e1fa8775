package io.probelet.remediator.decide;

import static io.probelet.remediator.decide.Situations.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.remediator.decide.Action.Annotate;
import io.probelet.remediator.decide.Action.RemoveAnnotation;
import io.probelet.remediator.decide.ObservedMachine.Found;
import io.probelet.remediator.decide.ObservedMachine.Missing;
import io.probelet.remediator.decide.ObservedMachine.Unknown;
import io.probelet.remediator.resource.MachineSpec;
import io.probelet.remediator.resource.RemediationPhase;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MachineDeciderTest {
  private static final String PATH = "/apis/cluster.x-k8s.io/v1beta1/namespaces/c/machines/m";
  private static final Missing MISSING = new Missing("c/m");

  private final DeciderCase<MachineSpec, ObservedMachine> remediation =
      new DeciderCase<>(new MachineDecider(), new MachineSpec(Duration.ofMinutes(30)));

  private static Found machine(String mark, String checked, boolean deleting) {
    return new Found(
        PATH, "c/m", "uid-m", "7", DeciderCase.NODE, "MachineSet", mark, checked, deleting);
  }

  private static Annotate mark(String value) {
    return new Annotate(PATH, "uid-m", "7", "cluster.x-k8s.io/remediate-machine", value);
  }

  private static RemoveAnnotation unmark() {
    return new RemoveAnnotation(
        PATH, "uid-m", "cluster.x-k8s.io/remediate-machine", DeciderCase.UID);
  }

  private void marked() {
    Step first = remediation.next(machine(null, "", false));
    assertThat(first.actions()).containsExactly(mark(DeciderCase.UID));
    assertThat(first.status().phase()).isEqualTo(RemediationPhase.WAITING);
    assertThat(first.status().status("PermanentNodeDeletionExpected")).contains("True");
    assertThat(first.status().status("Succeeded")).contains("Unknown");
  }

  @Test
  @DisplayName("ACT-53, ACT-54: marked, deleted, gone")
  void replaced() {
    marked();
    Step waiting = remediation.next(machine(DeciderCase.UID, "False Has a mark", false));
    assertThat(waiting.actions()).isEmpty();
    assertThat(waiting.status().message())
        .endsWith("its MachineHealthCheck reports: False Has a mark");
    assertThat(remediation.next(machine(DeciderCase.UID, "", true)).status().message())
        .isEqualTo("the Machine c/m is being deleted");
    assertThat(remediation.next(MISSING).status().phase()).isEqualTo(RemediationPhase.DONE);
    assertThat(remediation.status().message()).isEqualTo("the Machine c/m is gone");
  }

  @ParameterizedTest
  @CsvSource({
    "'', MachineSet, the Machine c/m belongs to node none",
    "another, MachineSet, 'the Machine c/m belongs to node another, not worker-1'",
    "worker-1, '', the Machine c/m is controlled by nothing",
    "worker-1, MyOperator, the Machine c/m is controlled by a MyOperator"
  })
  @DisplayName("ACT-53 rejects a Machine of another node or without a replacing owner")
  void refused(String node, String owner, String message) {
    Step step =
        remediation.next(new Found(PATH, "c/m", "uid-m", "7", node, owner, null, "", false));
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(step.status().message()).startsWith(message);
    assertThat(step.actions()).isEmpty();
  }

  @Test
  @DisplayName("ACT-53 those of control planes are replaced, too")
  void controlPlane() {
    Step step =
        remediation.next(
            new Found(
                PATH, "c/m", "uid-m", "7", "worker-1", "KubeadmControlPlane", null, "", false));
    assertThat(step.actions()).containsExactly(mark(DeciderCase.UID));
  }

  @Test
  @DisplayName("ACT-53 fails with the reason without a Machine")
  void none() {
    assertThat(remediation.next(MISSING).status().message()).isEqualTo("there is no Machine c/m");
    assertThat(
            new DeciderCase<>(new MachineDecider(), new MachineSpec(Duration.ofMinutes(30)))
                .next(new Unknown("why"))
                .status()
                .message())
        .isEqualTo("why");
  }

  @Test
  @DisplayName(
      "ACT-54 a Machine that stays fails, its mark is taken off, and who should act is named")
  void stays() {
    marked();
    remediation.later(Duration.ofMinutes(30).minusSeconds(1));
    assertThat(remediation.next(machine(DeciderCase.UID, "", false)).status().phase())
        .isEqualTo(RemediationPhase.WAITING);
    Step over = remediation.later(Duration.ofSeconds(1)).next(machine(DeciderCase.UID, "", false));
    assertThat(over.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(over.status().message())
        .isEqualTo("the Machine c/m still exists after 30m0s; no MachineHealthCheck covers it");
    assertThat(over.actions()).containsExactly(unmark());
  }

  @Test
  @DisplayName("ACT-54 a Machine that is being deleted is waited for however long that takes")
  void slow() {
    marked();
    assertThat(
            remediation
                .later(Duration.ofHours(3))
                .next(machine(DeciderCase.UID, "", true))
                .status()
                .phase())
        .isEqualTo(RemediationPhase.WAITING);
  }

  @Test
  @DisplayName("ACT-54 a crash before the mark is made marks it then, but no other Machine")
  void crash() {
    marked();
    assertThat(remediation.next(machine(null, "", false)).actions())
        .containsExactly(mark(DeciderCase.UID));
    remediation.node = DeciderCase.node("True", "b00t-2");
    Step other = remediation.next(machine(null, "", false));
    assertThat(other.actions()).isEmpty();
    assertThat(other.status().phase()).isEqualTo(RemediationPhase.FAILED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "theirs"})
  @DisplayName("ACT-53 a mark that another controller set is neither replaced nor removed")
  void markedByOthers(String theirs) {
    Step first = remediation.next(machine(theirs, "", false));
    assertThat(first.actions()).isEmpty();
    assertThat(first.status().phase()).isEqualTo(RemediationPhase.WAITING);
    assertThat(remediation.undo(machine(theirs, "", false))).isEmpty();
    Step over = remediation.later(Duration.ofMinutes(31)).next(machine(theirs, "", false));
    assertThat(over.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(over.actions()).isEmpty();
  }

  @Test
  @DisplayName("keeps a mark of another controller")
  void others() {
    assertThat(remediation.undo(machine("theirs", "", false))).isEmpty();
    marked();
    assertThat(remediation.next(machine("theirs", "", false)).actions()).isEmpty();
    assertThat(
            remediation.later(Duration.ofMinutes(31)).next(machine("theirs", "", false)).actions())
        .isEmpty();
  }

  @Test
  @DisplayName("ACT-54 a node that is healthy again keeps its Machine")
  void undone() {
    marked();
    assertThat(remediation.undo(machine(DeciderCase.UID, "", false)).orElseThrow().actions())
        .containsExactly(unmark());
    assertThat(remediation.undo(machine(null, "", false))).isEmpty();
    assertThat(remediation.undo(machine(DeciderCase.UID, "", true))).isEmpty();
    assertThat(remediation.undo(MISSING)).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("ACT-53 reads a Machine's owner and its MachineHealthCheck's status")
  @CsvSource(
      delimiter = ';',
      value = {
        "{}; /; ''; ; ''; false",
        "{'metadata': {'namespace': 'c', 'name': 'm', 'ownerReferences': [{'kind': 'Other'},"
            + " {'kind': 'MachineSet', 'controller': true}, {'kind': 'Cluster'}]}}; c/m;"
            + " MachineSet; ; ''; false",
        "{'metadata': {'annotations': {'cluster.x-k8s.io/remediate-machine': 'uid-r'},"
            + " 'deletionTimestamp': '2026-03-01T12:00:00Z'}}; /; ''; uid-r; ''; true",
        "{'status': {'conditions': [{'type': 'HealthCheckSucceeded', 'status': 'False',"
            + " 'reason': 'Marked', 'message': 'by hand'}, {'type': 'Ready', 'status': 'True'}]}};"
            + " /; ''; ; False Marked by hand; false",
        "{'status': {'conditions': [{'type': 'HealthCheckSucceeded', 'status': 'True'}]}}; /; '';"
            + " ; True; false",
        "{'metadata': {'annotations': {'cluster.x-k8s.io/remediate-machine': ''}}}; /; ''; ''; '';"
            + " false"
      })
  void reads(
      String object, String name, String owner, String mark, String checked, boolean deleting) {
    assertThat(ObservedMachine.read(PATH, json(object)))
        .isEqualTo(new Found(PATH, name, "", "", "", owner, mark, checked, deleting));
  }
}
