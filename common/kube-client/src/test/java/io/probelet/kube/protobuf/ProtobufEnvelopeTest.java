package io.probelet.kube.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.kube.ProtobufWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtobufEnvelopeTest {
  private static final byte[] STATUS =
      ProtobufWriter.object(
          JsonNodeFactory.instance
              .objectNode()
              .put("kind", "Status")
              .put("apiVersion", "v1")
              .put("code", 403)
              .put("message", "nodes is forbidden: User \"u\" cannot list resource \"nodes\""));

  @Test
  @DisplayName("a refusal's message is read from protobuf, JSON or plain text")
  void refusal() {
    assertThat(ProtobufEnvelope.refusal(STATUS))
        .isEqualTo("nodes is forbidden: User \"u\" cannot list resource \"nodes\"");
  }

  @ParameterizedTest
  @DisplayName("any other text of a refusal stays unchanged")
  @ValueSource(
      strings = {"", "k", "kaput", "k8s", "k8s is away", "{\"message\": \"no\"}", "<html>"})
  void text(String text) {
    assertThat(ProtobufEnvelope.refusal(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
  }

  @Test
  @DisplayName("a truncated envelope is rejected")
  void cut() throws IOException {
    for (int cut = 0;
        cut < STATUS.length - 4;
        cut++) { // after it two empty fields that say nothing
      byte[] part = Arrays.copyOf(STATUS, cut);
      assertThatThrownBy(
              () -> {
                ProtobufFields fields = new ProtobufFields(part, 0, part.length);
                ProtobufEnvelope.open(fields);
                ProtobufEnvelope.status(fields);
              })
          .as("%d of %d bytes", cut, STATUS.length)
          .isInstanceOf(IOException.class);
    }
    ProtobufFields whole = new ProtobufFields(STATUS, 0, STATUS.length);
    ProtobufEnvelope.open(whole);
    assertThat(ProtobufEnvelope.status(whole).code()).isEqualTo(403);
  }
}
