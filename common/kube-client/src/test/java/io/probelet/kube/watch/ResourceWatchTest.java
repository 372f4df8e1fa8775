package io.probelet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiRetry;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.Metadata;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against a scripted API server; notifications are compared as a whole. */
@Timeout(300)
class ResourceWatchTest {
  /** So that a test that makes the watch wait a few times does not take seconds. */
  private static final Duration FIRST_WAIT = Duration.ofMillis(20);

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<String> interrupted = new CopyOnWriteArrayList<>();
  private FakeApiServer server;
  private KubernetesClient client;
  private ApiServer api;
  private ResourceWatch<String> watch;

  @BeforeEach
  void open() throws IOException {
    server = new FakeApiServer();
    client = server.client();
    api = ApiServer.of(client, Duration.ofMinutes(1));
  }

  @AfterEach
  void close() {
    watch.close();
    client.close();
    server.close();
  }

  @Test
  @DisplayName("R-4 all pages of the list, then each change since the list's version")
  void listThenWatch() {
    list("7", "next", object("a", "1", "5", "x"))
        .list("7", "", object("b", "2", "6", "y"))
        .watchOn(
            event("MODIFIED", object("a", "1", "8", "z")),
            event("ADDED", object("c", "3", "9", "x")),
            event("DELETED", object("b", "2", "10", "y")));
    start();
    expect("a=x", "b=y", "listed", "a=z", "c=x", "-b 2");
    assertThat(asked().get(0)).isEqualTo("limit=200");
    assertThat(asked().get(1)).isEqualTo("limit=200&continue=next");
    assertThat(asked().get(2)).contains("watch=true", "resourceVersion=7");
  }

  @Test
  @Timeout(60)
  @DisplayName("the next page is requested while one is read")
  void ahead() {
    list("7", "next", object("a", "1", "5", "x"))
        .list("7", "", object("b", "2", "6", "y"))
        .watchOn();
    startAndReadOnceTheNextIsAskedFor();
    expect("a=x", "b=y", "listed");
  }

  @Test
  @DisplayName("a truncated page invalidates the list: everything is listed again")
  void cutBeforeTheNext() {
    answer(
            "{\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"next\"},\"items\":["
                + object("a", "1", "5", "x"),
            false)
        .list("7", "", object("b", "2", "6", "y"))
        .list("8", "", object("c", "3", "8", "z"))
        .watchOn();
    startAndReadOnceTheNextIsAskedFor();
    expect("a=x", "c=z", "-a 1", "listed");
  }

  @Test
  @DisplayName("a compressed list is read like others")
  void packed() {
    for (String name : List.of("a", "b")) {
      server.put(
          "{kind: Node, metadata: {name: %s, annotations: {n: %s}}, v: x}"
              .formatted(name, "0123456789".repeat(10_000)));
    }
    start();
    expect("a=x", "b=x", "listed");
  }

  @Test
  @DisplayName("RB-1 an event without a relevant change is not passed on")
  void heartbeat() {
    list("7", "", object("a", "1", "5", "x"))
        .watchOn(
            event("MODIFIED", object("a", "1", "8", "x")),
            event("MODIFIED", object("a", "1", "9", "y")));
    start();
    expect("a=x", "listed", "a=y");
  }

  @Test
  @DisplayName("a watch that ends is resumed at its version, also after a bookmark")
  void goesOn() {
    list("7", "")
        .watch(event("ADDED", object("a", "1", "8", "x")))
        .watch(event("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"20\"}}"))
        .watchOn(event("ADDED", object("b", "2", "21", "y")));
    start();
    expect("listed", "a=x", "b=y");
    assertThat(asked().get(2)).contains("resourceVersion=8&");
    assertThat(asked().get(3)).contains("resourceVersion=20&");
  }

  @Test
  @DisplayName("after an expired version everything is listed again, and deletions are reported")
  void expired() {
    String gone = event("ERROR", "{\"kind\":\"Status\",\"code\":410,\"message\":\"too old\"}");
    list("7", "", object("a", "1", "5", "x"), object("b", "2", "6", "y"))
        .watch(gone)
        .list("30", "", object("b", "2", "6", "y"))
        .refuse(410)
        .list("40", "", object("b", "2", "6", "y"))
        .watchOn(event("ADDED", object("c", "3", "41", "z")));
    start();
    expect("a=x", "b=y", "listed", "b=y", "-a 1", "listed", "b=y", "listed", "c=z");
  }

  @Test
  @DisplayName("N-2 a recreated object is reported as deleted, then added")
  void replaced() {
    list("7", "", object("a", "1", "5", "x"))
        .watch(event("MODIFIED", object("a", "2", "8", "x")))
        .refuse(410)
        .list("30", "", object("a", "3", "29", "x"))
        .watchOn();
    start();
    expect("a=x", "listed", "-a 1", "a=x", "-a 2", "a=x", "listed");
  }

  @Test
  @DisplayName("R-3 a kind that is not served is reported, and retried")
  void unserved() {
    refuse(404).list("7", "", object("a", "1", "5", "x")).watchOn();
    start();
    expect("unserved", "a=x", "listed");
  }

  @Test
  @DisplayName("an event whose type comes last is read, a truncated one is not")
  void forms() {
    list("7", "")
        .watch(
            "{\"object\":" + object("a", "1", "8", "x") + ",\"type\":\"ADDED\"}",
            "{\"type\":\"ADDED\",\"object\":{\"metadata\":")
        .watchOn(event("ADDED", object("b", "2", "9", "y")));
    start();
    expect("listed", "a=x", "b=y");
    assertThat(asked().get(2)).contains("resourceVersion=8&");
  }

  @Test
  @DisplayName("RB-1 data after the relevant fields is not read")
  void partly() {
    list("7", "", object("a", "1", "5", "x"), object("b", "2", "6", "y"))
        .watchOn(event("ADDED", object("c", "3", "8", "z")));
    start(
        ResourceWatch.SILENCE,
        (object, _) -> {
          object.nextToken();
          object.nextToken();
          JsonNode metadata = object.readValueAsTree();
          return new Item<>(null, metadata.path("name").asText(), "", "8", "");
        });
    expect("a=", "b=", "listed", "c=");
  }

  @Test
  @DisplayName("an error in the stream leads to a new list, whatever it is")
  void error() {
    list("7", "", object("a", "1", "5", "x"))
        .watch(
            event("ERROR", "{\"kind\":\"Status\",\"code\":500,\"message\":\"unable to decode\"}"))
        .list("30", "")
        .watchOn();
    start();
    expect("a=x", "listed", "-a 1", "listed");
    assertThat(interrupted).containsExactly("500 unable to decode");
  }

  @Test
  @DisplayName("with too many requests, or without permission, the watch is retried, not the list")
  void notAllowed() {
    list("7", "").refuse(429).refuse(403).watchOn(event("ADDED", object("a", "1", "8", "x")));
    start();
    expect("listed", "a=x");
    assertThat(asked()).filteredOn(query -> query.startsWith("limit")).hasSize(1);
    assertThat(interrupted).containsExactly("429 refused", "403 refused");
  }

  @Test
  @DisplayName("an event that causes an internal error does not hide others")
  void mistake() {
    list("7", "")
        .watchOn(
            event("ADDED", object("a", "1", "8", "bug")),
            event("ADDED", object("b", "2", "9", "y")));
    start();
    expect("listed", "b=y");
  }

  @Test
  @DisplayName("objects skipped by the format are neither reported nor missed")
  void passedOver() {
    list("7", "", "{\"metadata\":{}}", object("b", "2", "6", "y"))
        .watchOn(event("DELETED", "{\"metadata\":{}}"), event("ADDED", object("c", "3", "8", "z")));
    start();
    expect("b=y", "listed", "c=z");
  }

  @Test
  @DisplayName("R-4 an idle kind is no failure, but listed again: versions may have gone back")
  void quiet() {
    list("7", "", object("b", "2", "6", "y"))
        .watchOn()
        .list("5", "", object("b", "2", "4", "z"))
        .watchOn(event("ADDED", object("a", "1", "6", "x")));
    start(Duration.ofMillis(200));
    expect("b=y", "listed", "b=z", "listed", "a=x");
    assertThat(asked().get(3)).contains("watch=true", "resourceVersion=5&");
    assertThat(interrupted).isEmpty();
  }

  @Test
  @DisplayName(
      "a node's objects are listed from the server's cache, never older than known; if that fails,"
          + " the newest state")
  void listsFromCache() {
    Selection ofNode = new Selection("Pod", "/api/v1/pods", "spec.nodeName=a", 50);
    list("7", "", object("a", "1", "5", "x"))
        .watch(event("ERROR", "{\"code\":410,\"message\":\"too old\"}"))
        .refuse(504)
        .list("9", "", object("a", "1", "5", "x"))
        .watchOn();
    start(
        ofNode,
        ResourceWatch.SILENCE,
        new ApiRetry(new Random(1), FIRST_WAIT),
        ResourceWatchTest::read);
    await().until(() -> asked().size() >= 5);
    assertThat(asked().get(0)).startsWith("limit=50&resourceVersion=0&field");
    assertThat(asked().get(2)).startsWith("resourceVersion=7&resourceVersionMatch=NotOlderThan&");
    assertThat(asked().get(3)).startsWith("limit=50&fieldSelector");
  }

  @Test
  @Timeout(60)
  @DisplayName(
      "a version that has expired during an outage is listed again without the outage's back-off")
  void expiredDuringOutage() {
    list("7", "")
        .watch(event("ADDED", object("a", "1", "8", "x")))
        .refuse(503)
        .refuse(503)
        .watch(event("ERROR", "{\"code\":410,\"message\":\"too old\"}"))
        .list("9", "", object("a", "1", "9", "y"))
        .watchOn();
    ApiRetry fast = new ApiRetry(new Random(1), FIRST_WAIT);
    start(ResourceWatch.SILENCE, fast, ResourceWatchTest::read);
    expect("listed", "a=x", "a=y", "listed");
    assertThat(fast.failed(Optional.empty())).isLessThanOrEqualTo(FIRST_WAIT.multipliedBy(2));
  }

  @Test
  @DisplayName("watches that end immediately are retried with back-off")
  void brief() {
    list("7", "");
    for (int i = 0; i < 100; i++) {
      watch(event("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"8\"}}"));
    }
    long begun = System.nanoTime();
    start(ResourceWatch.SILENCE, new ApiRetry(new Random(1)), ResourceWatchTest::read);
    await().until(() -> asked().size() >= 4);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(900));
  }

  @Test
  @Timeout(60)
  @DisplayName("a watch that waits after an outage resumes once another request succeeds")
  void serverIsBack() {
    server.put("{kind: Node, metadata: {name: a}, v: x}");
    refuse(503);
    start(
        ResourceWatch.SILENCE,
        new ApiRetry(new Random(1), Duration.ofHours(1)),
        ResourceWatchTest::read);
    await().until(() -> !interrupted.isEmpty());
    assertThat(asked()).hasSize(1);
    assertThat(told).isEmpty();
    api.get("/readyz?of=another");
    expect("a=x", "listed");
  }

  @Test
  @Timeout(60)
  @DisplayName(
      "a watch of each node that has not listed yet returns at once, as its node may have just booted")
  void bootingNode() {
    server.put("{kind: Node, metadata: {name: a}, v: x}");
    server.faults().refuseReads("/api/v1/nodes", 503, "no route");
    ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
    watch =
        ResourceWatch.start(
            api,
            Selection.all("Node", "/api/v1/nodes"),
            ResourceWatchTest::read,
            new Told(),
            clock,
            new ApiRetry(new Random(1), FIRST_WAIT),
            new Random(1),
            ResourceWatch.SILENCE,
            ReturnSpread.OF_NODES);
    await().until(() -> !interrupted.isEmpty());
    clock.advance(Duration.ofSeconds(5));
    int before = asked().size();
    await().until(() -> asked().size() > before + 1);
    server.faults().refuseReads(null, 0, "");
    api.get("/readyz?of=another");
    expect("a=x", "listed");
  }

  /** The queries of the requests so far. */
  private List<String> asked() {
    return server.requests().stream().map(request -> request.uri().getQuery()).toList();
  }

  private ResourceWatchTest list(String version, String next, String... items) {
    return answer(
        "{\"kind\":\"NodeList\",\"metadata\":{\"resourceVersion\":\"%s\",\"continue\":\"%s\"},\"items\":[%s]}"
            .formatted(version, next, String.join(",", items)),
        false);
  }

  /** A watch that tells these events and ends. */
  private ResourceWatchTest watch(String... events) {
    return answer(String.join("\n", events) + "\n", false);
  }

  /** A watch that tells these events and goes on. */
  private ResourceWatchTest watchOn(String... events) {
    return answer(String.join("\n", events) + "\n", true);
  }

  private ResourceWatchTest answer(String body, boolean open) {
    server.faults().answerNext(200, body, open);
    return this;
  }

  private ResourceWatchTest refuse(int code) {
    server.faults().failNext(code, "refused", "");
    return this;
  }

  private void start() {
    start(ResourceWatch.SILENCE);
  }

  private void start(Duration silence) {
    start(silence, ResourceWatchTest::read);
  }

  /** No object of the first page is read before there is a second request. */
  private void startAndReadOnceTheNextIsAskedFor() {
    start(
        ResourceWatch.SILENCE,
        (object, before) -> {
          await().until(() -> asked().size() >= 2);
          return read(object, before);
        });
  }

  private static @Nullable Item<String> read(
      JsonParser object, Function<String, @Nullable String> before) throws IOException {
    JsonNode tree = object.readValueAsTree();
    if (tree.at("/metadata/name").isMissingNode()) {
      return null;
    }
    return new Item<>(
        null,
        tree.at("/metadata/name").asText(),
        Metadata.uid(tree),
        Metadata.version(tree),
        tree.path("v").asText());
  }

  private void start(Duration silence, Format<String> format) {
    start(silence, new ApiRetry(new Random(1), FIRST_WAIT), format);
  }

  private void start(Duration silence, ApiRetry retry, Format<String> format) {
    start(Selection.all("Node", "/api/v1/nodes"), silence, retry, format);
  }

  private void start(Selection selection, Duration silence, ApiRetry retry, Format<String> format) {
    watch =
        ResourceWatch.start(
            api,
            selection,
            format,
            new Told(),
            SystemClock.INSTANCE,
            retry,
            new Random(1),
            silence,
            ReturnSpread.NONE);
  }

  private void expect(String... all) {
    await().untilAsserted(() -> assertThat(told).containsExactly(all));
  }

  private static String object(String name, String uid, String version, String value) {
    return "{\"metadata\":{\"name\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"%s\"},\"v\":\"%s\"}"
        .formatted(name, uid, version, value);
  }

  private static String event(String type, String object) {
    return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
  }

  private final class Told implements Observer<String> {
    @Override
    public void changed(Item<String> item) {
      if (item.value().equals("bug")) {
        throw new IllegalStateException("a mistake of ours");
      }
      told.add(item.name() + "=" + item.value());
    }

    @Override
    public void gone(Item<String> item) {
      told.add("-" + item.name() + " " + item.uid());
    }

    @Override
    public void listed() {
      told.add("listed");
    }

    @Override
    public void interrupted(String why) {
      interrupted.add(why);
    }

    @Override
    public void unserved() {
      told.add("unserved");
    }
  }
}
