package io.probelet.fleet.ui.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.probelet.nodehealth.rehearsal.TapeRehearsal;
import io.probelet.nodehealth.tape.TapeReader;
import io.probelet.web.http.Resource.BadRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A tape that is played in the page, and what of it is refused. */
@Timeout(60)
class SimulateTapeTest {
  private static final String ATTACK = "<script>alert(1)</script>'><img src=x onerror=alert(1)>";
  private static final String END = "{\"at\":\"2026-10-01T06:00:00Z\",\"end\":true}";

  /** Eight minutes of worker-1 without an answer. */
  private static final List<String> FLAP =
      List.of(
          node("worker-1"),
          node("worker-2"),
          node("worker-3"),
          condition("01:00", "Unknown"),
          condition("01:08", "True"));

  @TempDir Path folder;

  @Test
  @DisplayName("there is a choice of what is played, and a visit alone plays nothing")
  void choice() throws Exception {
    String page = page(tape("prod", FLAP));
    assertThat(page)
        .contains(
            "<select name=\"play\">",
            "<option value=\"now\">what goes down now</option>",
            "<option value=\"tape\" selected>the tape</option>")
        .doesNotContain("Results");
    assertThat(page(tape("prod", FLAP), "down", "worker-1"))
        .contains("<option value=\"now\" selected>", "<svg");
    assertThat(page(null)).doesNotContain("name=\"play\"");
    assertThat(text(page(null, "play", "tape")))
        .contains("there is no tape here; start probelet ui with --tape FILE");
  }

  @Test
  @DisplayName("without NodeHealthChecks on the tape, the cluster's as it is and changed")
  void ofTheCluster() throws Exception {
    String page = page(tape("prod", FLAP), "play", "tape", "duration", "10m", "down", "ignored");
    assertThat(page).doesNotContain("<svg", "role=\"alert\"");
    assertThat(text(page))
        .contains("tape of prod: 2026-10-01T00:00:00Z to 2026-10-01T06:00:00Z (6h0m0s)")
        .contains("Figure as it is changed remediations 1 0 nodes remediated 1 0")
        .contains("node-minutes unhealthy 8 8")
        .contains("2026-10-01T01:05:01Z worker-1 Restart workers after 2m59s")
        .doesNotContain("Warning");
  }

  @Test
  @DisplayName("what was recorded and what was in force stand beside it; no change, no column")
  void recorded() throws Exception {
    Path week = Path.of("../examples/tape/week.jsonl");
    TapePlayer player = TapePlayer.of(week);
    assertThat(text(page(player, "play", "tape", "duration", "15m")))
        .contains("Figure recorded in force as it is changed remediations 2 2 ");
    assertThat(text(page(player, "play", "tape")))
        .contains("Figure recorded in force as it is remediations 2 2 ");
  }

  @Test
  @DisplayName("texts of a tape are text, and short")
  void hostile() throws Exception {
    String check =
        "{\"at\":\"2026-10-01T00:30:00Z\",\"check\":{\"kind\":\"NodeHealthCheck\",\"metadata\":"
            + "{\"name\":\"c\",\"uid\":\"u\"},\"spec\":{\"minHealthy\":\"%s\"}}}"
                .formatted(ATTACK.repeat(500));
    String remediation =
        "{\"at\":\"2026-10-01T02:00:00Z\",\"remediation\":{\"apiVersion\":\"a/v1\",\"kind\":\"Restart\","
            + "\"name\":\"r\",\"uid\":\"r1\",\"node\":\"worker-1\",\"check\":\"%s\"}}"
                .formatted(ATTACK);
    List<String> lines = new ArrayList<>(FLAP);
    lines.add(3, check);
    lines.add(remediation);
    String page = page(tape(ATTACK, lines), "play", "tape");
    assertThat(page.split("&lt;script&gt;", -1)).as(page).hasSizeGreaterThan(3);
    assertThat(page).hasSizeLessThan(20_000).doesNotContain("<script", "<img");
    assertThat(text(page)).contains("Warning: line 5: NodeHealthCheck c is invalid");
  }

  @Test
  @DisplayName("a tape that was cut off is said to be, and one that is wrong is said where")
  void wrong() throws Exception {
    Path file = write("prod", FLAP);
    TapePlayer player = TapePlayer.of(file);
    List<String> lines = Files.readAllLines(file);
    Files.write(file, lines.subList(0, lines.size() - 1));
    assertThat(text(page(player, "play", "tape"))).contains("Warning: The tape has no end line");
    Files.write(file, List.of(lines.get(0), lines.get(5)));
    assertThat(page(player, "play", "tape")).contains("role=\"alert\"");
    assertThat(text(page(player, "play", "tape")))
        .contains("tape.jsonl:2:1: error: there is no node worker-1 at this time");
  }

  @Test
  @DisplayName("a change that is not valid is said before the tape is read")
  void senseless() throws Exception {
    assertThat(text(page(tape("prod", FLAP), "play", "tape", "minHealthy", "lots")))
        .contains("with these changes it is not valid: spec.minHealthy");
    assertThatThrownBy(() -> page(null, "play", "all"))
        .isInstanceOf(BadRequest.class)
        .hasMessage("play must be now or tape");
  }

  @Test
  @DisplayName("what is no tape, or no file, is refused at the start")
  void noTape() throws IOException {
    assertThatThrownBy(() -> TapePlayer.of(folder.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> TapePlayer.of(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not a regular file");
    Path other = Files.writeString(folder.resolve("other"), "{\"kind\": \"Pod\"}\n");
    assertThatThrownBy(() -> TapePlayer.of(other))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(other + ":1:");
  }

  @Test
  @DisplayName("one plays at a time; too long a play is interrupted, and then there is room again")
  void bounds() throws Exception {
    Path file = write("prod", FLAP);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger interrupted = new AtomicInteger();
    TapePlayer player =
        new TapePlayer(
            (candidates, heals) -> {
              if (end.getCount() > 0) {
                begun.countDown();
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                  end.await(); // it takes a while to end
                }
              }
              try (TapeReader tape = TapeReader.open(file)) {
                return TapeRehearsal.play(tape, candidates, heals);
              }
            },
            Duration.ofSeconds(2));
    FutureTask<String> first = new FutureTask<>(() -> text(page(player, "play", "tape")));
    Thread.ofVirtual().start(first);
    begun.await();
    assertThat(text(page(player, "play", "tape")))
        .contains("the tape is already playing; retry in a moment");
    assertThat(first.get()).contains("playing the tape took longer than 2s and was stopped");
    await().until(() -> interrupted.get() == 1);
    assertThat(text(page(player, "play", "tape"))).contains("is already playing");
    end.countDown();
    await().until(() -> text(page(player, "play", "tape")).contains("remediations 1"));
  }

  @Test
  @DisplayName("a play that is interrupted ends, before its next line")
  void interruptible() throws Exception {
    Path file = write("prod", List.of(node("worker-1"), "reached, and it would be an error"));
    try (TapeReader tape = TapeReader.open(file)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> TapeRehearsal.play(tape, List.of(), Duration.ofMinutes(5)))
          .isInstanceOf(InterruptedException.class);
    }
    assertThat(Thread.interrupted()).isFalse();
  }

  private TapePlayer tape(String cluster, List<String> lines) throws IOException {
    return TapePlayer.of(write(cluster, lines));
  }

  private Path write(String cluster, List<String> lines) throws IOException {
    return Files.writeString(
        folder.resolve("tape.jsonl"),
        "{\"tape\":1,\"start\":\"2026-10-01T00:00:00Z\",\"cluster\":\"%s\"}".formatted(cluster)
            + "\n"
            + String.join("\n", lines)
            + "\n"
            + END
            + "\n");
  }

  private static String node(String name) {
    return ("{\"at\":\"2026-10-01T00:00:00Z\",\"node\":{\"name\":\"%1$s\",\"uid\":\"%1$s\","
            + "\"created\":\"2026-08-01T00:00:00Z\",\"labels\":{\"pool\":\"workers\"},\"conditions\":"
            + "[{\"type\":\"Ready\",\"status\":\"True\",\"since\":\"2026-08-01T00:01:00Z\"}]}}")
        .formatted(name);
  }

  private static String condition(String at, String status) {
    return ("{\"at\":\"2026-10-01T%s:00Z\",\"condition\":{\"node\":\"worker-1\",\"type\":\"Ready\","
            + "\"status\":\"%s\"}}")
        .formatted(at, status);
  }

  private static String page(@Nullable TapePlayer player, String... parameters) throws Exception {
    Map<String, List<String>> query = new LinkedHashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      query.put(parameters[i], List.of(parameters[i + 1]));
    }
    return new SimulatePage(PlayedNodes.racks(12), player).content(query).toString();
  }

  /** As a reader sees it. */
  private static String text(String html) {
    return html.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ").replace("&#39;", "'").strip();
  }
}
