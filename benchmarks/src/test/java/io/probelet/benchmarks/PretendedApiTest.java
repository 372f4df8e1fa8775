package io.probelet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PretendedApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PretendedApi api;

  @BeforeEach
  void open() throws IOException {
    api = new PretendedApi((_, _, _) -> {});
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void listsPageByPage() throws IOException {
    JsonNode a = api.put("nodes", "a", node("ä"));
    JsonNode b = api.put("nodes", "b", node("b"));
    JsonNode c = api.put("nodes", "c", node("c"));

    JsonNode first = list("limit=2");
    assertThat(first.path("items")).containsExactly(a, b);
    assertThat(first.at("/metadata/continue").asText()).isEqualTo("b");
    JsonNode second = list("limit=2&continue=b");
    assertThat(second.path("items")).containsExactly(c);
    assertThat(second.at("/metadata/continue").asText()).isEmpty();
    assertThat(second.at("/metadata/resourceVersion")).isEqualTo(c.at("/metadata/resourceVersion"));
  }

  @Test
  void listsAnObjectAsItIsNow() throws IOException {
    api.put("nodes", "a", node("before"));
    JsonNode now = api.put("nodes", "a", node("after"));

    assertThat(list("").path("items")).containsExactly(now);
  }

  @Test
  void listsNothingWhereNothingIs() throws IOException {
    api.put("nodes", "a", node("a"));
    api.remove("nodes", "a");

    assertThat(list("").path("items")).isEmpty();
    assertThat(list("").path("items").isArray()).isTrue();
  }

  private static ObjectNode node(String label) {
    return JSON.createObjectNode().put("kind", "Node").put("label", label);
  }

  private JsonNode list(String query) throws IOException {
    try (InputStream answer =
        URI.create(api.url() + "/api/v1/nodes?" + query).toURL().openStream()) {
      return JSON.readTree(answer);
    }
  }
}
