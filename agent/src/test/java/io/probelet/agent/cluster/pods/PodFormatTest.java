package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.probelet.agent.cluster.ApiPods;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.kube.watch.Item;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How pods are taken from among others. */
class PodFormatTest {
  private static final JsonFactory JSON = new JsonFactory();

  private final PodFormat format =
      new PodFormat(new ClusterPodReader(AgentConfiguration.DEFAULT.podRules()), new PodRoom());

  @Test
  @DisplayName("a pod is read to its end and no further, in any alphabet")
  void among() throws IOException {
    String pods = "[%s, %s]".formatted(ApiPods.running("a"), ApiPods.running("b"));
    try (JsonParser parser = JSON.createParser(pods.replace("\"a\"", "\"grüße-€-😀\""))) {
      parser.nextToken();
      parser.nextToken();
      assertThat(read(parser)).extracting(Item::name).isEqualTo("grüße-€-😀");
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      assertThat(read(parser)).extracting(Item::name, Item::namespace).containsExactly("b", "shop");
      assertThat(parser.nextToken()).isEqualTo(JsonToken.END_ARRAY);
    }
  }

  @Test
  @DisplayName("who set which field is not even read: it is half of a pod")
  void managedFields() throws IOException {
    String tooDeep = "[".repeat(100) + "]".repeat(100);
    String pod =
        ApiPods.running("a").replace("{\"f:status\": {}}", "{\"f:status\": " + tooDeep + "}");
    assertThat(pod).contains(tooDeep);
    try (JsonParser parser = JSON.createParser(pod)) {
      parser.nextToken();
      assertThat(read(parser)).extracting(Item::name).isEqualTo("a");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "7", "[]", "{\"metadata\": {\"name\": \"a\"}}"})
  @DisplayName("what is no pod is passed over")
  void none(String text) throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      assertThat(read(parser)).isNull();
    }
  }

  private @Nullable Item<ClusterPod> read(JsonParser parser) throws IOException {
    return format.read(parser, _ -> null);
  }
}
