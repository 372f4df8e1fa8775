package io.probelet.nodehealth.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedOutputStream;
import io.probelet.health.RandomCase;
import io.probelet.kube.ProtobufWriter;
import io.probelet.kube.protobuf.ProtobufEnvelope;
import io.probelet.kube.protobuf.ProtobufFields;
import io.probelet.kube.watch.Item;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of a node that comes as protobuf is what is read of its JSON. */
class NodeProtobufTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NODE =
      """
      {"apiVersion": "v1", "kind": "Node",
       "metadata": {"name": "n1", "uid": "u-1", "resourceVersion": "17", "generation": 3,
         "creationTimestamp": "2026-01-01T00:00:00Z",
         "labels": {"pool": "a", "empty": ""},
         "annotations": {"remediation.medik8s.io/manually-confirmed-healthy": "", "other": "x",
           "machine.openshift.io/machine": "a/b", "probelet.io/approved": "RebootRemediation"}},
       "spec": {"podCIDR": "10.0.0.0/24", "unschedulable": true},
       "status": {"phase": "Running",
         "conditions": [
           {"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-01-02T00:00:00Z",
            "lastTransitionTime": "2026-01-01T01:02:03Z", "reason": "R", "message": "m"},
           {"type": "Disk", "status": "Unknown", "lastTransitionTime": "0001-01-01T00:00:00Z"},
           {"type": "Other", "status": "False"}],
         "images": [{"names": ["a", "b"], "sizeBytes": 5}]}}
      """;

  private final NodeFormat format = new NodeFormat();

  @ParameterizedTest
  @DisplayName("R-4, R-5, R-8, R-15 all that plans ask of a node, also of one just created")
  @ValueSource(
      strings = {
        NODE,
        "{\"metadata\": {\"name\": \"n\"}}",
        "{\"metadata\": {\"name\": \"n\"}, \"status\": {}}",
        "{}"
      })
  void same(String node) throws IOException {
    assertThat(protobuf(node, null)).isEqualTo(json(node));
  }

  @Test
  @DisplayName("R-4 of any node whatsoever the same as of its JSON")
  void property() {
    RandomCase.tries(
        300,
        random -> {
          ObjectNode node = JSON.createObjectNode();
          ObjectNode metadata =
              node.putObject("metadata").put("name", random.of("a", "b", "grüße-😀"));
          random
              .map(
                  30,
                  () -> "key-" + random.between(0, 99),
                  () -> random.of("", "x", "ä".repeat(70)))
              .forEach(metadata.putObject("labels")::put);
          random
              .map(
                  4,
                  () ->
                      random.of(
                          "cluster.x-k8s.io/machine",
                          "cluster.x-k8s.io/cluster-namespace",
                          "machine.openshift.io/machine",
                          "probelet.io/approved",
                          "other"),
                  () -> random.of("", "a", "a/b", "x".repeat(1101)))
              .forEach(metadata.putObject("annotations")::put);
          ArrayNode conditions = node.putObject("status").putArray("conditions");
          for (int i = random.between(0, 9); i > 0; i--) {
            conditions
                .addObject()
                .put("type", random.of("Ready", "Disk", ""))
                .put("status", random.of("True", "False", "Unknown", ""))
                .put("message", "m".repeat(random.between(0, 300)))
                .put(
                    "lastTransitionTime",
                    Instant.ofEpochSecond(random.between(-1_000_000_000, 2_000_000_000))
                        .toString());
          }
          try {
            assertThat(protobuf(node.toString(), null)).isEqualTo(json(node.toString()));
          } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
          }
        });
  }

  @Test
  @DisplayName("RB-1 what is as before is not kept a second time, as a whole or its labels")
  void again() throws IOException {
    NodeFacts first = protobuf(NODE, null).value();
    assertThat(protobuf(NODE, first).value()).isSameAs(first);
    NodeFacts changed = protobuf(NODE.replace("\"True\"", "\"False\""), first).value();
    assertThat(changed).isNotEqualTo(first);
    assertThat(changed.labels()).isSameAs(first.labels());
    assertThat(
            protobuf(NODE.replace("\"a\", \"empty\"", "\"b\", \"empty\""), first).value().labels())
        .isEqualTo(Map.of("pool", "b", "empty", ""));
  }

  @ParameterizedTest
  @DisplayName("a time that JSON has no words for is none")
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, 253_402_300_800L, -62_135_596_801L})
  void noTime(long seconds) throws IOException {
    byte[] time = message(out -> out.writeInt64(1, seconds));
    byte[] metadata = message(out -> out.writeByteArray(8, time));
    byte[] node = message(out -> out.writeByteArray(1, metadata));
    ProtobufFields fields = new ProtobufFields(node, 0, node.length);
    assertThat(format.read(fields, _ -> null).value().created()).isEqualTo(Instant.EPOCH);
  }

  @Test
  @DisplayName("the part of a node is refused, or is of what came before images")
  void cut() throws IOException {
    byte[] whole = ProtobufWriter.object(JSON.readTree(NODE));
    Item<NodeFacts> all = json(NODE);
    int refusals = 0;
    for (int cut = 0; cut < whole.length; cut++) {
      byte[] part = Arrays.copyOf(whole, cut);
      for (ProtobufFields fields :
          List.of(
              new ProtobufFields(part, 0, part.length),
              new ProtobufFields(new ByteArrayInputStream(part)))) {
        try {
          ProtobufEnvelope.open(fields);
          assertThat(format.read(fields, _ -> null)).as("cut after %d bytes", cut).isEqualTo(all);
        } catch (IOException refused) {
          refusals++;
        }
      }
    }
    assertThat(refusals).isGreaterThan(whole.length);
  }

  private Item<NodeFacts> json(String node) throws IOException {
    try (JsonParser object = JSON.createParser(node)) {
      object.nextToken();
      return format.read(object, _ -> null);
    }
  }

  private Item<NodeFacts> protobuf(String node, @Nullable NodeFacts before) throws IOException {
    JsonNode tree = JSON.readTree(node);
    byte[] sent = ProtobufWriter.object(tree);
    ProtobufFields fields = new ProtobufFields(sent, 0, sent.length);
    ProtobufEnvelope.open(fields);
    return format.read(fields, _ -> before);
  }

  /** Writes the fields of a message. */
  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) throws IOException {
    byte[] bytes = new byte[64];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    fields.write(out);
    return Arrays.copyOf(bytes, out.getTotalBytesWritten());
  }
}
