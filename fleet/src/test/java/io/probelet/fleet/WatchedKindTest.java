package io.probelet.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The objects of a kind, and what is not known of them. */
class WatchedKindTest {
  private final AtomicInteger changes = new AtomicInteger();
  private final WatchedKind<String> kind =
      new WatchedKind<>(
          "Things",
          "things.x",
          "/apis/x/things",
          true,
          new Shares.Limits(2, 1_000, 1),
          changes::incrementAndGet);

  private void show(String name) throws Exception {
    show(kind, null, name, 1);
  }

  private static void show(
      WatchedKind<String> kind, @Nullable String namespace, String name, int weight)
      throws Exception {
    Format<Weighed<String>> format =
        kind.bounded(
            (_, _) -> new Item<>(namespace, name, "u-" + name, "1", new Weighed<>(name, weight)));
    try (JsonParser none = new ObjectMapper().createParser("{}")) {
      Item<Weighed<String>> item = format.read(none, _ -> null);
      if (item != null) {
        kind.changed(item);
      }
    }
  }

  private static TooLarge tooLarge(String name) {
    ObjectNode identity = new ObjectMapper().createObjectNode();
    identity.putObject("metadata").put("name", name);
    return new TooLarge(identity, ObjectLimits.USUAL);
  }

  /** Attack: objects of one namespace fill the list, and those of others are not seen. */
  @Test
  void fullNamespaceLeavesRoomForOthers() throws Exception {
    WatchedKind<String> remediations =
        new WatchedKind<>(
            "Remediations",
            "r",
            "/r",
            true,
            new Shares.Limits(8, 800, 2),
            changes::incrementAndGet);
    for (int i = 0; i < 100; i++) {
      show(remediations, "hostile", "few" + i, 1);
      show(remediations, "heavy", "large" + i, 300);
    }
    show(remediations, "honest", "mine", 100);
    remediations.listed();

    assertThat(remediations.all())
        .containsExactly("large0", "mine", "few0", "few1", "few2", "few3");
    assertThat(remediations.gap().orElseThrow())
        .returns(FleetGap.Kind.TOO_MANY, FleetGap::kind)
        .returns(
            "more than the limit of 4 objects or 0 MiB per namespace in heavy, hostile",
            FleetGap::why);
  }

  /** An object that grows beyond its room is no longer shown as it was. */
  @Test
  void forgetsObjectThatOutgrowsItsRoom() throws Exception {
    show("a");
    show(kind, null, "a", 2_000);

    assertThat(kind.all()).isEmpty();
    show("a");
    assertThat(kind.all()).containsExactly("a");
  }

  @Test
  void namesSkippedObjectsUntilTheyAreReadOrGone() throws Exception {
    kind.tooLarge(tooLarge("z1"));
    kind.tooLarge(tooLarge("z2"));
    kind.listed();
    assertThat(kind.gap().orElseThrow())
        .returns(FleetGap.Kind.TOO_LARGE, FleetGap::kind)
        .returns(
            "skipped: z1 has more than 20000 values or 1048576 characters,"
                + " z2 has more than 20000 values or 1048576 characters",
            FleetGap::why);
    show("z1");
    assertThat(kind.gap().orElseThrow().why()).startsWith("skipped: z2 has");
    kind.listed();
    assertThat(gap()).as("not skipped in the last list").isEmpty();
  }

  @Test
  void namesFewOfManySkippedObjects() {
    for (int i = 0; i < 5_000; i++) {
      kind.tooLarge(tooLarge("z" + i));
    }
    kind.listed();

    assertThat(kind.gap().orElseThrow().why())
        .hasSizeLessThan(400)
        .endsWith("and more than 997 others");
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
        .returns("more than the limit of 2 objects or 0 MiB", FleetGap::why);
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

  /** Attack: a proxy, or a wrong path in the kubeconfig, answers 404 to everything. */
  @Test
  void builtInKindsAreNeverAbsent() {
    for (String collection :
        List.of("/api/v1/nodes", "/apis/coordination.k8s.io/v1/namespaces/x/leases")) {
      WatchedKind<String> builtIn =
          new WatchedKind<>(
              "Nodes", "nodes", collection, true, new Shares.Limits(2, 1_000, 1), () -> {});
      builtIn.unserved();
      builtIn.interrupted("404");
      assertThat(builtIn.isAbsent()).isFalse();
      assertThat(builtIn.isSettled()).isTrue();
      assertThat(builtIn.gap().orElseThrow())
          .returns(FleetGap.Kind.UNREACHABLE, FleetGap::kind)
          .returns(true, FleetGap::essential)
          .satisfies(gap -> assertThat(gap.why()).contains("not a Kubernetes API server"));
      builtIn.listed();
      assertThat(builtIn.gap()).isEmpty();
    }
  }
}
