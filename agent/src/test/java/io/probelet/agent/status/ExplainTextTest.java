package io.probelet.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.Snapshots;
import io.probelet.agent.explain.ExplainView;
import io.probelet.agent.explain.Explanations;
import io.probelet.agent.explain.RestartForecast;
import io.probelet.agent.http.Containers;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code probelet explain} prints, by golden text. */
class ExplainTextTest {
  @Test
  @DisplayName("the text says what is probed, what happened and what comes, and drives no terminal")
  void text() throws Exception {
    ContainerSnapshot web =
        Snapshots.running(
            "shop",
            "web",
            "nginx",
            Snapshots.failing(ProbeKind.LIVENESS, "httpGet", "\u001b[2J\u202erefused\nroot#"));
    ExplainView view =
        new Explanations(
                new Containers((_, _) -> CompletableFuture.completedFuture(List.of(web))),
                RestartForecast.UNGUARDED)
            .of((_, _) -> true)
            .getFirst();
    assertThat(String.join("\n", ExplainText.of(view, Snapshots.NOON.plusSeconds(5))))
        .isEqualTo(
            """
            shop/web/nginx
              Running, ready, 1 restart, started 5s ago

            liveness: Success
              What is probed:
                VALUE                    IS                              FROM
                httpGet                  GET http://<pod>:8080/healthz   default
                initialDelay             0s                              default
                period                   10s                             default
                timeout                  1s                              default
                successThreshold         1                               default
                failureThreshold         3                               default
                terminationGracePeriod   the pod's                       default
              What happened last:
                2s ago  failed in 2.5 ms: \\u001b[2J\\u202erefused root#
              What happens next:
                The next probe comes in 8s.
                One more failure in a row and it is restarted.
                One success and the count begins again.\
            """);
  }
}
