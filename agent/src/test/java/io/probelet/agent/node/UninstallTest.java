package io.probelet.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Only what was looked for is said to be gone. */
class UninstallTest {
  @Test
  void namesWhatRemediationsAndUsersHaveLeft() throws IOException {
    StringWriter out = new StringWriter();
    try (FakeApiServer server = new FakeApiServer();
        var client = server.client()) {
      server.put(
          """
          kind: Node
          apiVersion: v1
          metadata:
            name: worker-1
            annotations: {probelet.io/cordoned-by: u, probelet.io/power-off: b, other.io/a: x}
            labels: {probelet.io/approved: "x"}
          spec:
            unschedulable: true
            taints:
            - {key: node.kubernetes.io/out-of-service, value: nodeshutdown, effect: NoExecute}
            - {key: node.kubernetes.io/unschedulable, effect: NoSchedule}
          """);
      server.put("{kind: Node, apiVersion: v1, metadata: {name: worker-2}}");

      assertThat(new Uninstall(client, new PrintWriter(out)).all()).isFalse();
    }
    assertThat(out.toString().lines())
        .containsExactly(
            "worker-1: removed conditions, taints and annotations of agents; remaining:"
                + " annotation probelet.io/cordoned-by (a drain cordoned the node: uncordon it),"
                + " annotation probelet.io/power-off, label probelet.io/approved,"
                + " taint node.kubernetes.io/out-of-service",
            "worker-2: everything of Probelet was removed");
  }
}
