package io.probelet.agent.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The objects of a kind, and what is not known of them. */
class WatchedKindTest {
  private final AtomicInteger changes = new AtomicInteger();
  private final WatchedKind<String> kind =
      new WatchedKind<>("Things", "things.x", "/apis/x/things", true, 2, changes::incrementAndGet);

  private void show(String name) throws Exception {
    Format<String> format = kind.bounded((_, _) -> new Item<>(null, name, "u-" + name, "1", name));
    try (JsonParser none = new ObjectMapper().createParser("{}")) {
      Item<String> item = format.read(none, _ -> null);
      if (item != null) {
        kind.changed(item);
      }
    }
  }

  private String gap() {
    return kind.gap().map(gap -> gap.kind().label()).orElse("");
  }

  @Test
  @DisplayName("Beyond its bound it keeps what it has, and says so; known ones still change")
  void bound() throws Exception {
    show("a");
    show("b");
    kind.listed();
    assertThat(gap()).isEmpty();
    show("c");
    show("a");
    assertThat(kind.all()).containsExactly("a", "b");
    assertThat(kind.gap().orElseThrow())
        .returns(FleetGap.Kind.TOO_MANY, FleetGap::kind)
        .returns("there are more than 2, which is all that is kept", FleetGap::why);
  }

  @Test
  @DisplayName("Pending, refused, interrupted, absent, and there again")
  void states() throws Exception {
    assertThat(gap()).isEqualTo("Pending");
    assertThat(kind.isSettled()).isFalse();
    kind.refused("list");
    kind.interrupted("403");
    assertThat(gap()).isEqualTo("Forbidden");
    assertThat(kind.isSettled()).isTrue();
    show("a");
    kind.listed();
    assertThat(gap()).isEmpty();
    kind.interrupted("no answer");
    assertThat(gap()).isEqualTo("Unreachable");
    assertThat(kind.all()).as("as it was").containsExactly("a");
    kind.refused("watch");
    assertThat(gap()).isEqualTo("Forbidden");
    int before = changes.get();
    kind.bookmarked();
    assertThat(gap()).as("a watch goes on without a list").isEmpty();
    assertThat(changes.get()).isEqualTo(before + 1);
    kind.bookmarked();
    assertThat(changes.get()).as("nothing new").isEqualTo(before + 1);
    kind.unserved();
    kind.interrupted("404");
    assertThat(gap()).isEmpty();
    assertThat(kind.isAbsent()).isTrue();
    assertThat(kind.all()).isEmpty();
    kind.listed();
    assertThat(kind.isAbsent()).isFalse();
    assertThat(changes.get()).isPositive();
  }
}
