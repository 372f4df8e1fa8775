package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.agent.manifest.tree.Node.Mapping;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a page of a list of pods is read. */
class PodPageTest {
  private final List<Mapping> pods = new ArrayList<>();

  private PodPage read(String json) throws IOException {
    return PodPage.read(json.getBytes(StandardCharsets.UTF_8), pods::add);
  }

  private List<String> names() {
    return pods.stream()
        .map(pod -> ApiObject.text(ApiObject.child(pod, "metadata"), "name"))
        .toList();
  }

  @Test
  @DisplayName("pods come one by one, wherever the page says what is next, and in any alphabet")
  void page() throws IOException {
    PodPage page =
        read(
            """
            {"kind": "PodList", "items": [{"metadata": {"name": "grüße-€-😀"}}, {"metadata": {"name": "b"}}],
             "other": [[{}]], "metadata": {"resourceVersion": "7", "continue": "x"}}
            """);
    assertThat(page).isEqualTo(new PodPage("7", "x"));
    assertThat(names()).containsExactly("grüße-€-😀", "b");
  }

  @Test
  @DisplayName("who set which field is left out: it is half of a pod")
  void managedFields() throws IOException {
    read("{\"items\": [{\"metadata\": {\"managedFields\": [{\"a\": [1]}], \"name\": \"a\"}}]}");
    assertThat(names()).containsExactly("a");
    assertThat(ApiObject.child(pods.getFirst(), "metadata").entries()).containsOnlyKeys("name");
  }

  @Test
  @DisplayName("a node without pods: Go writes an absent list as null")
  void none() throws IOException {
    assertThat(read("{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": null}"))
        .isEqualTo(new PodPage("1", ""));
    assertThat(pods).isEmpty();
  }

  @Test
  @DisplayName("a pod that cannot be read does not hide the others")
  void unreadable() throws IOException {
    String deep = "[".repeat(100) + "]".repeat(100);
    read("{\"items\": [{\"a\": " + deep + "}, {\"metadata\": {\"name\": \"b\"}}]}");
    assertThat(names()).containsExactly("", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "<html>busy</html>", "{\"items\": [{\"metadata\"", "{\"a\": 1"})
  @DisplayName("what is no list, or the half of one, is refused")
  void noList(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class);
  }
}
