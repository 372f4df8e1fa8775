package io.probelet.nodehealth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.BoundedObject.Whole;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.nodehealth.workloads.WorkloadPod.State;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods as they are read, and which are evidence. */
class WorkloadPodReaderTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String UID = "0f0e0d0c-0000-0000-0000-000000000001";
  private static final String OWNER =
      "{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: %s, controller: true}"
          .formatted(UID);

  private final WorkloadPodReader reader = new WorkloadPodReader();

  /** Reads what is left of a pod after all other fields were dropped, as a watch does. */
  private WorkloadPod read(String pod) throws IOException {
    JsonNode tree = YAML.readTree(pod);
    try (JsonParser json = tree.traverse(YAML)) {
      json.nextToken();
      Whole kept = (Whole) BoundedObject.read(json, WorkloadPodReader.FIELDS, ObjectLimits.USUAL);
      return reader.read(kept.object());
    }
  }

  private WorkloadPod pod(String metadata, String spec, String status) throws IOException {
    return read(
        """
        metadata: {namespace: shop, name: web-1, uid: u, %s}
        spec: {%s}
        status: {%s}
        """
            .formatted(metadata, spec, status));
  }

  private WorkloadPod withStatus(String status) throws IOException {
    return pod("ownerReferences: [%s]".formatted(OWNER), "nodeName: n1", status);
  }

  /** WE-1, WE-4. */
  @Test
  void readsNodeAndRevision() throws IOException {
    WorkloadPod pod =
        pod(
            "labels: {controller-revision-hash: abc, app: x}, ownerReferences: [%s]"
                .formatted(OWNER),
            "nodeName: n1, containers: [{name: c}]",
            "phase: Running, conditions: [{type: Ready, status: \"True\"}]");
    assertThat(pod.node()).isEqualTo("n1");
    assertThat(pod.revision()).isNotNull();
    assertThat(pod.revision().hash()).isEqualTo("abc");
    assertThat(pod.revision().workload()).hasToString("ReplicaSet shop/web");
    assertThat(pod.state()).isEqualTo(State.READY);
    assertThat(pod.restarted()).isFalse();
  }

  /** Pods of one workload share what they have in common. */
  @Test
  void sharesNodesAndOwners() throws IOException {
    WorkloadPod one = withStatus("phase: Running");
    WorkloadPod two = withStatus("phase: Running");
    assertThat(one.revision()).isSameAs(two.revision());
    assertThat(one.node()).isSameAs(two.node());
  }

  /** WE-1. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no owner         | ownerReferences: []                          | nodeName: n1 | phase: Running
          no controller    | ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: w, uid: 0f0e0d0c-0000-0000-0000-000000000001}] | nodeName: n1 | phase: Running
          a Job            | ownerReferences: [{apiVersion: batch/v1, kind: Job, name: w, uid: 0f0e0d0c-0000-0000-0000-000000000001, controller: true}] | nodeName: n1 | phase: Running
          a static pod     | ownerReferences: [{apiVersion: v1, kind: Node, name: n1, uid: 0f0e0d0c-0000-0000-0000-000000000001, controller: true}] | nodeName: n1 | phase: Running
          an invalid uid   | ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: w, uid: x, controller: true}] | nodeName: n1 | phase: Running
          an invalid name  | ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: "A b", uid: 0f0e0d0c-0000-0000-0000-000000000001, controller: true}] | nodeName: n1 | phase: Running
          not scheduled    | ownerReferences: [OWNER]                     | a: b         | phase: Pending
          being deleted    | ownerReferences: [OWNER], deletionTimestamp: x | nodeName: n1 | phase: Running
          succeeded        | ownerReferences: [OWNER]                     | nodeName: n1 | phase: Succeeded
          evicted          | ownerReferences: [OWNER]                     | nodeName: n1 | phase: Failed
          """)
  void podsThatAreNoEvidence(String name, String metadata, String spec, String status)
      throws IOException {
    assertThat(pod(metadata.replace("OWNER", OWNER), spec, status).revision()).as(name).isNull();
  }

  /** WE-1: a label of that length is none of a controller's. */
  @Test
  void endlessHashIsNoEvidence() throws IOException {
    String metadata = "labels: {controller-revision-hash: %s}, ownerReferences: [%s]";
    assertThat(pod(metadata.formatted("h".repeat(63), OWNER), "nodeName: n", "a: b").revision())
        .isNotNull();
    assertThat(pod(metadata.formatted("h".repeat(64), OWNER), "nodeName: n", "a: b").revision())
        .isNull();
  }

  /** WE-2. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          UNTRIED | false | a: b
          UNTRIED | false | {started: false, state: {waiting: {reason: ContainerCreating}}}
          UNTRIED | false | {started: false, state: {waiting: {reason: ImagePullBackOff}}}
          UNTRIED | true  | {started: false, restartCount: 3, state: {waiting: {reason: ErrImagePull}}}
          UNTRIED | false | {started: false, state: {waiting: {reason: CreateContainerConfigError}}}
          UNTRIED | false | {started: false, state: {running: {startedAt: x}}}
          DOWN    | true  | {started: false, restartCount: 1, state: {running: {startedAt: x}}}
          DOWN    | false | {started: true, state: {running: {startedAt: x}}}
          DOWN    | false | {state: {running: {startedAt: x}}}
          DOWN    | true  | {started: false, restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}}
          DOWN    | false | {started: false, state: {waiting: {reason: RunContainerError}}}
          DOWN    | false | {started: false, state: {terminated: {exitCode: 1}}}
          UNTRIED | false | {started: true, state: {running: {}}}, {state: {waiting: {reason: ErrImagePull}}}
          DOWN    | true  | {started: true, state: {running: {}}}, {restartCount: 2, state: {terminated: {}}}
          """)
  void states(State state, boolean restarted, String containers) throws IOException {
    String list = containers.equals("a: b") ? "" : containers;
    WorkloadPod pod =
        withStatus(
            "phase: Running, conditions: [{type: Ready, status: \"False\"}], containerStatuses: [%s]"
                .formatted(list));
    assertThat(pod.state()).isEqualTo(state);
    assertThat(pod.restarted()).isEqualTo(restarted);
  }

  /** WE-14: as many owners as an object may have, and texts of any kind. */
  @Test
  void hostilePods() throws IOException {
    String owners = "{controller: \"yes\", kind: {a: b}, uid: [1]},".repeat(3_000);
    assertThat(pod("ownerReferences: [%s]".formatted(owners), "nodeName: n", "a: b").revision())
        .isNull();
    assertThat(read("metadata: [1]\nspec: text\nstatus: {phase: {}, conditions: {a: 1}}"))
        .isEqualTo(WorkloadPod.NONE);
    assertThat(withStatus("conditions: text, containerStatuses: {a: {state: {running: 1}}}"))
        .isNotNull();
  }
}
