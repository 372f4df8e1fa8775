package io.probelet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiRetry;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.Metadata;
import io.probelet.kube.protobuf.ProtobufEnvelope;
import io.probelet.kube.protobuf.ProtobufFields;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A kind requested as protobuf, from servers with and without protobuf. */
@Timeout(300)
class ProtobufWatchTest {
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<String> interrupted = new CopyOnWriteArrayList<>();
  private FakeApiServer server;
  private KubernetesClient client;
  private ResourceWatch<String> watch;

  @BeforeEach
  void open() throws IOException {
    server = new FakeApiServer();
    client = server.client();
  }

  @AfterEach
  void close() {
    watch.close();
    client.close();
    server.close();
  }

  @Test
  @DisplayName("R-4 objects are listed, and each change is reported")
  void listThenWatch() {
    put("a", "x");
    put("b", "y");
    start();
    expect("protobuf a=x", "protobuf b=y", "listed");
    put("a", "z");
    put("c", "x");
    server.delete("/api/v1/nodes/b");
    expect("protobuf a=x", "protobuf b=y", "listed", "protobuf a=z", "protobuf c=x", "protobuf -b");
    assertThat(server.requests())
        .allSatisfy(request ->
            assertThat(request.accepted())
                .isEqualTo(ProtobufEnvelope.MEDIA_TYPE + ",application/json"));
  }

  @Test
  @DisplayName("a compressed list, and an empty list")
  void lengths() {
    start();
    expect("listed");
    for (String name : List.of("a", "b")) {
      put(name, "0123456789".repeat(10_000));
    }
    await().until(() -> told.size() == 3);
    server.expireWatches(); // it is listed anew
    await().until(() -> told.size() == 6);
    assertThat(interrupted).containsExactly("410 too old resource version");
    assertThat(told.subList(3, 5)).isEqualTo(told.subList(1, 3));
  }

  @Test
  @DisplayName("after a bookmark, and after a truncated event, it resumes")
  void goesOn() {
    start();
    expect("listed");
    await().until(() -> server.openWatches() == 1);
    server.bookmark();
    await().until(() -> told.contains("bookmark"));
    server.cut();
    await().until(() -> server.openWatches() == 1);
    put("a", "x");
    expect("listed", "bookmark", "protobuf a=x");
    assertThat(server.lists()).hasSize(1);
  }

  @Test
  @DisplayName("a server without protobuf sends JSON")
  void json() {
    server
        .faults()
        .answerNext(
            200,
            """
            {"kind": "NodeList", "metadata": {"resourceVersion": "7"}, "items": [
              {"metadata": {"name": "a", "labels": {"v": "x"}, "resourceVersion": "6"}}]}
            """,
            false);
    server
        .faults()
        .answerNext(
            200,
            """
            {"type": "ADDED", "object": {"metadata": {"name": "b", "labels": {"v": "y"}}}}
            """,
            true);
    start();
    expect("json a=x", "listed", "json b=y");
  }

  private void put(String name, String value) {
    server.put(
        "{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {v: \"%s\"}}}"
            .formatted(name, value));
  }

  private void start() {
    watch =
        ResourceWatch.start(
            ApiServer.of(client, Duration.ofMinutes(1)),
            Selection.all("Node", "/api/v1/nodes"),
            new LabelFormat(),
            new Told(),
            SystemClock.INSTANCE,
            new ApiRetry(new Random(1), Duration.ofMillis(20)),
            new Random(1),
            ResourceWatch.SILENCE,
            ReturnSpread.NONE);
  }

  private void expect(String... all) {
    await().untilAsserted(() -> assertThat(told).containsExactly(all));
  }

  /** Keeps the value of the only label, and the encoding. */
  private static final class LabelFormat implements ProtobufFormat<String> {
    @Override
    public Item<String> read(JsonParser object, Function<String, @Nullable String> before)
        throws IOException {
      JsonNode tree = object.readValueAsTree();
      return new Item<>(
          null,
          "json " + tree.at("/metadata/name").asText(),
          Metadata.uid(tree),
          Metadata.version(tree),
          tree.at("/metadata/labels/v").asText());
    }

    @Override
    public Item<String> read(ProtobufFields object, Function<String, @Nullable String> before)
        throws IOException {
      String name = "";
      String version = "";
      String value = "";
      while (object.next() != 1) {
        object.skip();
      }
      int outer = object.enter();
      for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
        switch (field) {
          case 1 -> name = object.text();
          case 6 -> version = object.text();
          case 11 -> {
            int entry = object.enter();
            object.next();
            object.skip();
            object.next();
            value = object.text();
            object.leave(entry);
          }
          default -> object.skip();
        }
      }
      object.leave(outer);
      return new Item<>(null, "protobuf " + name, "", version, value);
    }
  }

  private final class Told implements Observer<String> {
    @Override
    public void changed(Item<String> item) {
      told.add(item.name() + "=" + item.value());
    }

    @Override
    public void gone(Item<String> item) {
      told.add(item.name().replace(" ", " -"));
    }

    @Override
    public void listed() {
      told.add("listed");
    }

    @Override
    public void bookmarked() {
      told.add("bookmark");
    }

    @Override
    public void interrupted(String why) {
      interrupted.add(why);
    }
  }
}
