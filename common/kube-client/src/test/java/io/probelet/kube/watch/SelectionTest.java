package io.probelet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The requested paths. */
class SelectionTest {
  @Test
  @DisplayName("only selected objects are listed and watched; server values are escaped")
  void some() {
    Selection pods = new Selection("Pod", "/api/v1/pods", "spec.nodeName=a", 50);
    assertThat(pods.list("x=/", 50))
        .isEqualTo("/api/v1/pods?limit=50&continue=x%3D%2F&fieldSelector=spec.nodeName%3Da");
    assertThat(pods.watch("7&", 300))
        .isEqualTo(
            "/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=7%26"
                + "&timeoutSeconds=300&fieldSelector=spec.nodeName%3Da");
  }

  @Test
  @DisplayName(
      "a list from the cache takes any version, or one that is not older than the known one")
  void cached() {
    Selection pods = new Selection("Pod", "/api/v1/pods", "spec.nodeName=a", 50);
    assertThat(pods.listNotBefore(Selection.ANY_VERSION, 50))
        .isEqualTo("/api/v1/pods?limit=50&resourceVersion=0&fieldSelector=spec.nodeName%3Da");
    assertThat(pods.listNotBefore("7&", 50))
        .isEqualTo(
            "/api/v1/pods?resourceVersion=7%26&resourceVersionMatch=NotOlderThan"
                + "&fieldSelector=spec.nodeName%3Da");
  }

  @Test
  @DisplayName("only lists of a node's pods and of one object come from the cache, without pages")
  void part() {
    for (String few : List.of("spec.nodeName=a", "metadata.name=a")) {
      assertThat(new Selection("Pod", "/pods", few, 50).isPart()).isTrue();
    }
    for (String many : List.of("", "status.phase!=Failed", "involvedObject.kind=Node")) {
      assertThat(new Selection("Pod", "/pods", many, 50).isPart()).isFalse();
    }
  }

  @Test
  @DisplayName("a path with a query is rejected")
  void query() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selection.all("Lease", "/leases?resourceVersion=0"))
        .withMessageContaining("/leases?resourceVersion=0");
  }
}
