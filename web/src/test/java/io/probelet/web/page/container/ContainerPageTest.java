package io.probelet.web.page.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.ManualClock;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ProbePhases;
import io.probelet.web.Snapshots;
import io.probelet.web.explain.Explanations;
import io.probelet.web.explain.RestartForecast;
import io.probelet.web.http.Containers;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The page of one container. */
class ContainerPageTest {
  private final ContainerPage page =
      new ContainerPage(
          new Explanations(
              new Containers((_, which) ->
                  CompletableFuture.completedFuture(
                      Stream.of(
                              Snapshots.running(
                                  "shop",
                                  "web",
                                  "nginx",
                                  Snapshots.phased(
                                      new ProbePhases(
                                          Duration.ZERO,
                                          null,
                                          Duration.ofMillis(9),
                                          null,
                                          Duration.ofMillis(6))),
                                  Snapshots.failing(
                                      ProbeKind.LIVENESS, "exec", "<script>alert(1)</script>")))
                          .filter(each -> which.test(each.status().pod(), each.status().name()))
                          .toList())),
              RestartForecast.UNGUARDED),
          new ManualClock(Snapshots.NOON));

  @Test
  @DisplayName("phases are stacked, values have origins, and what a target says is text")
  void whole() throws Exception {
    Answer answer = ask("shop/web", "nginx");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(text(answer))
        .contains("<h1>shop/web nginx</h1>")
        .contains("<rect class=\"phase-connect\" x=\"590\" y=\"60\" width=\"8\" height=\"60\"/>")
        .contains("<rect class=\"phase-first-byte\" x=\"590\" y=\"20\" width=\"8\" height=\"40\"/>")
        .contains("<rect class=\"phase-rest\" x=\"590\" y=\"0\" width=\"8\" height=\"20\"/>")
        .contains("One more failure in a row and it is restarted.")
        .contains("run cat [redacted] (1 argument)")
        .contains("&lt;script&gt;alert(1)")
        .doesNotContain("<script>");
  }

  @Test
  @DisplayName("a container that is not there is status 404; one that is not named is asked for")
  void none() throws Exception {
    assertThat(ask("shop/web", "gone").status()).isEqualTo(404);
    assertThat(text(ask("shop/web", "gone"))).contains("No such container is probed here.");
    assertThatThrownBy(() -> page.get(Map.of()))
        .isInstanceOf(BadRequest.class)
        .hasMessage("say which container: pod=NAMESPACE/NAME&container=NAME");
  }

  private Answer ask(String pod, String container) throws Exception {
    return page.get(Map.of("pod", List.of(pod), "container", List.of(container)));
  }

  private static String text(Answer answer) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
