package io.probelet.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The label that tells one node's series from another's. */
class NodeLabelTest {
  private static final String TEXT =
      """
      # HELP a{b} c {d}
      # TYPE a counter
      a 1.0
      b_total{x="{ y",z=""} 2.0
      """;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  @DisplayName("every sample gets the label, however the text is cut; comments stay as they are")
  void label(int piece) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] text = TEXT.getBytes(StandardCharsets.UTF_8);
    try (NodeLabel labelled = new NodeLabel(out, "worker-1")) {
      for (int from = 0; from < text.length; from += piece) {
        labelled.write(text, from, Math.min(piece, text.length - from));
      }
    }
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            # HELP a{b} c {d}
            # TYPE a counter
            a{node="worker-1"} 1.0
            b_total{node="worker-1",x="{ y",z=""} 2.0
            """);
  }

  @Test
  @DisplayName("the metrics of an agent have it, those of any other run do not")
  void metrics() throws IOException {
    AgentMetrics metrics = new AgentMetrics(new ManualClock(Instant.EPOCH));
    assertThat(scraped(metrics)).contains("probelet_stop_failures_total 0.0");
    metrics.labelNode("worker-1");
    assertThat(scraped(metrics)).contains("probelet_stop_failures_total{node=\"worker-1\"} 0.0");
  }

  private static String scraped(AgentMetrics metrics) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    metrics.get(Map.of()).body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
