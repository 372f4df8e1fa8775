package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import io.probelet.cli.agent.AgentCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What docs/how-to/install.md says of uninstalling is run as it is there, and leaves nothing. */
@Tag("real-api")
@Timeout(300)
class UninstallRealApiTest {
  private static final Path PAGE = Path.of("..", "docs", "how-to", "install.md");
  private static final String SECTION = "## Uninstalling from a cluster";
  private static final String HELM = "helm uninstall probelet -n probelet-system";
  private static final String FILES =
      "kubectl delete --ignore-not-found -f deploy/ -f deploy/remediators/";
  private static final String PAUSE = "kubectl get nodehealthchecks -o name | xargs -rn1 kubectl ";
  private static final String SYSTEM = "probelet-system";

  @TempDir Path directory;
  private RealApi api;
  private Kubectl kubectl;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    api.assumeSince(RealApi.POLICIES);
    kubectl = new Kubectl(api.kubeconfig());
  }

  @AfterEach
  void close() {
    if (api != null) {
      api.close();
    }
  }

  /** The commands of the section, without the comments behind them. */
  private static List<String> documented() throws Exception {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(SECTION);
    assertThat(begin).as("%s has %s", PAGE, SECTION).isPositive();
    int end = page.indexOf("\n## ", begin + 1);
    List<String> commands = new ArrayList<>();
    for (String line : page.substring(begin, end < 0 ? page.length() : end).split("\n", -1)) {
      if (line.startsWith("    ")) {
        commands.add(line.replaceFirst(" +#.*", "").strip());
      }
    }
    return commands;
  }

  private void run(String command) throws Exception {
    if (command.startsWith(PAUSE)) {
      String[] patch = command.substring(PAUSE.length()).replace("'", "").split(" ", -1);
      for (String name : kubectl.run("get", "nodehealthchecks", "-o=name").lines().toList()) {
        kubectl.run(Stream.concat(Arrays.stream(patch), Stream.of(name)).toArray(String[]::new));
        assertThat(kubectl.run("get", name, "-o=jsonpath={.spec.pauseRequests}"))
            .isEqualTo("[\"uninstall\"]");
      }
      return;
    }
    String[] words = command.split(" ", -1);
    String[] arguments = List.of(words).subList(1, words.length).toArray(String[]::new);
    if (words[0].equals("kubectl")) {
      kubectl.run(arguments);
      return;
    }
    assertThat(command).isEqualTo("probelet agent --uninstall=all");
    assertThat(
            new CommandLine(new AgentCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute("--uninstall=all", "--kubeconfig=" + api.kubeconfig()))
        .isZero();
  }

  /** As a running Probelet leaves it. */
  private void write() throws Exception {
    Path state =
        Files.writeString(
            directory.resolve("state.yaml"),
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: worker-1
              annotations: {probelet.io/node-conditions: '{"boot":"b","types":["KernelDeadlock"]}'}
            ---
            apiVersion: remediation.medik8s.io/v1alpha1
            kind: NodeHealthCheck
            metadata: {name: example}
            spec:
              selector: {matchLabels: {role: worker}}
              minHealthy: 51%
              remediationTemplate:
                {apiVersion: example.io/v1, kind: RebootTemplate, name: reboot, namespace: default}
            ---
            apiVersion: probelet.io/v1alpha1
            kind: DrainRemediation
            metadata: {name: worker-1, namespace: default}
            ---
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: probelet-remediation, namespace: probelet-system}
            ---
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: worker-1, namespace: probelet-system}
            """);
    kubectl.run("create", "-f", state.toString());
    kubectl.run(
        "patch",
        "node/worker-1",
        "--subresource=status",
        "--type=merge",
        "-p",
        "status: {conditions: [{type: KernelDeadlock, status: 'False', reason: x},"
            + " {type: Ready, status: 'True', reason: x}]}");
  }

  private void nothingIsLeft() throws Exception {
    assertThat(kubectl.run("get", "node/worker-1", "-o=jsonpath={.metadata.annotations}"))
        .isEmpty();
    assertThat(kubectl.run("get", "node/worker-1", "-o=jsonpath={.status.conditions[*].type}"))
        .isEqualTo("Ready");
    assertThat(kubectl.run("get", "leases", "-n", SYSTEM, "-o=name")).isEmpty();
    assertThat(
            kubectl.run(
                "get",
                "crd,clusterrole,clusterrolebinding,validatingadmissionpolicy,"
                    + "validatingadmissionpolicybinding,validatingwebhookconfiguration",
                "-o=name"))
        .doesNotContain("probelet", "medik8s");
  }

  @Test
  @DisplayName("docs: after a release of the chart nothing is left")
  void chart() throws Exception {
    Release release =
        new Helm(Path.of("..", "deploy", "helm", "probelet"))
            .install()
            .withName("probelet")
            .withNamespace(SYSTEM)
            .createNamespace()
            .withKubeConfig(api.kubeconfig())
            .set("webhook", false) // nobody would answer it
            .call();
    assertThat(release.getOutput()).contains("docs/how-to/install.md");
    kubectl.run("wait", "crd", "--all", "--for=condition=Established");
    write();
    List<String> commands = documented();
    assertThat(commands).contains(HELM);
    for (String command : commands) {
      if (command.equals(HELM)) {
        Helm.uninstall("probelet").withNamespace(SYSTEM).withKubeConfig(api.kubeconfig()).call();
      } else if (!command.equals(FILES)) {
        run(command);
      }
    }
    nothingIsLeft();
  }

  @Test
  @DisplayName("docs: after the files of deploy/ nothing is left, and no command fails, even twice")
  void files() throws Exception {
    kubectl.run("apply", "-f", "deploy/crds/", "-f", "deploy/", "-f", "deploy/remediators/");
    kubectl.run("wait", "crd", "--all", "--for=condition=Established");
    write();
    List<String> commands = documented();
    assertThat(commands).contains(FILES);
    assertThat(commands.getFirst())
        .as("before the remediations are deleted, or a node that stays unhealthy gets new ones")
        .startsWith(PAUSE);
    for (String command : commands) {
      if (command.equals(FILES)) {
        // Nothing ends a namespace here, as no controller manager is there.
        run(command + " --wait=false");
        run(command + " --wait=false");
      } else if (!command.equals(HELM)) {
        run(command);
      }
    }
    nothingIsLeft();
  }
}
