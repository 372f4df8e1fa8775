package io.probelet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.health.SystemClock;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ObjectStoreTest {
  private static final ObjectPath PODS = ObjectPath.of("/api/v1/pods");

  private final ObjectStore store = new ObjectStore(SystemClock.INSTANCE);

  private void put(String namespace, String name) {
    store.put(
        ObjectPath.of("/api/v1/namespaces/" + namespace + "/pods/" + name),
        JsonNodeFactory.instance.objectNode());
  }

  @Test
  @DisplayName("objects added to a listed page are reported by the watch")
  void listInPages() throws InterruptedException {
    ObjectSelector all = ObjectSelector.of(Map.of());
    put("b", "one");
    put("b", "two");
    JsonNode first = store.list(PODS, all, "", 1).path("metadata");
    put("a", "early");
    JsonNode last = store.list(PODS, all, first.path("continue").asText(), 1);

    assertThat(last.path("items")).hasSize(1);
    assertThat(last.at("/metadata/continue").isMissingNode()).isTrue();
    long version = last.at("/metadata/resourceVersion").asLong();
    assertThat(store.watch(PODS, all, version, false).next())
        .asString(StandardCharsets.UTF_8)
        .contains("\"type\":\"ADDED\"");
  }
}
