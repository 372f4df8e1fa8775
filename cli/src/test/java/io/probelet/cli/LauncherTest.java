package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.FakeCheckout.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a release archive starts Probelet with: on a machine without a JDK, a HOME, or jars of its
 * own.
 */
class LauncherTest {
  private static final Path BIN = Path.of("src/main/dist/bin").toAbsolutePath();
  private static final String PATH = "/usr/bin:/bin";

  @TempDir Path directory;
  private Path home;

  @BeforeEach
  void setUp() throws IOException {
    home = directory.resolve("un packed");
    for (String name : List.of("probelet", "kubectl-probelet")) {
      script(home.resolve("bin").resolve(name), Files.readString(BIN.resolve(name)));
    }
    script(
        home.resolve("runtime/bin/java"),
        "#!/bin/sh\necho pid=$$ arenas=$MALLOC_ARENA_MAX; printf 'arg=%s\\n' \"$@\"\n");
    for (String jar : List.of("b.jar", "cli-1.jar", "B.jar", "a.jar")) {
      write(home.resolve("lib").resolve(jar), "");
    }
  }

  @Test
  @DisplayName(
      "starts its own runtime with all jars in a fixed order and nothing of the current folder")
  void java() throws Exception {
    Ended ended = run("probelet", Map.of("PROBELET_JAVA_OPTS", "-Da=1 -Db=2"), "run", "a folder");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    String lib = home + "/lib/";
    assertThat(ended.out().lines())
        .contains("pid=" + ended.pid() + " arenas=2", "arg=@" + lib + "jvm.options")
        .containsSubsequence(
            "arg=-Da=1",
            "arg=-Db=2",
            "arg=-cp",
            "arg="
                + String.join(":", lib + "B.jar", lib + "a.jar", lib + "b.jar", lib + "cli-1.jar"),
            "arg=io.probelet.cli.Probelet",
            "arg=run",
            "arg=a folder");
  }

  @Test
  @DisplayName("uses the class archive if there is one")
  void archive() throws Exception {
    assertThat(run("probelet", Map.of()).out()).contains("arg=-Xshare:auto\n");
    Path archive = write(home.resolve("lib/probelet.jsa"), "");
    assertThat(run("probelet", Map.of()).out())
        .contains("arg=-XX:SharedArchiveFile=" + archive + "\n")
        .doesNotContain("-Xshare:auto");
  }

  @Test
  @DisplayName("gives more memory to commands that read a whole cluster only")
  void heap() throws Exception {
    assertThat(run("probelet", Map.of(), "ui").out()).contains("arg=-Xmx1g\n");
    assertThat(run("probelet", Map.of(), "agent").out()).doesNotContain("-Xmx");
  }

  @Test
  @DisplayName("finds its jars through a link on the PATH")
  void link() throws Exception {
    Path link = directory.resolve("probelet");
    Files.createSymbolicLink(link, home.resolve("bin/probelet"));
    assertThat(end(new ProcessBuilder(link.toString()), Map.of()).out())
        .contains(home + "/lib/a.jar");
  }

  @Test
  @DisplayName("as a plugin of kubectl asks the agent on one node")
  void statusOfANode() throws Exception {
    kubectl("probelet-agent-x1 one");
    Ended ended =
        run(
            "kubectl-probelet",
            kubectlOnPath(),
            "status",
            "--context",
            "test",
            "-n",
            "ops",
            "one",
            "-o",
            "json");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(calls())
        .satisfiesExactly(
            get ->
                assertThat(get)
                    .startsWith(
                        "--context=test get pods -n ops -l app.kubernetes.io/name=probelet-agent"
                            + " --field-selector=spec.nodeName=one "),
            exec ->
                assertThat(exec)
                    .isEqualTo(
                        "--context=test exec -n ops probelet-agent-x1 -- probelet status -o json"));
  }

  @Test
  @DisplayName(
      "as a plugin of kubectl asks the agents on all nodes, and ends with the worst of their codes")
  void statusOfAllNodes() throws Exception {
    kubectl("x1 one\nx2 two\nx3 three");
    Ended ended = run("kubectl-probelet", kubectlOnPath(), "status");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out())
        .isEqualTo("one (x1):\nas it is\ntwo (x2):\nas it is\nthree (x3):\nas it is\n");

    Ended watched = run("kubectl-probelet", kubectlOnPath(), "status", "-w");
    assertThat(watched.exitCode()).isEqualTo(2);
    assertThat(watched.err()).contains("name a NODE");
  }

  @Test
  @DisplayName("as a plugin of kubectl asks controllers for remediation")
  void remediation() throws Exception {
    kubectl("c1 one");
    assertThat(run("kubectl-probelet", kubectlOnPath(), "remediation").exitCode()).isZero();
    assertThat(calls())
        .contains("exec -n probelet-system c1 -- probelet status --remediation")
        .anyMatch(call -> call.contains("-l app.kubernetes.io/name=probelet-controller "));
  }

  @Test
  @DisplayName("as a plugin of kubectl reports a node without an agent")
  void noAgent() throws Exception {
    kubectl("");
    Ended ended = run("kubectl-probelet", kubectlOnPath(), "status", "gone");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err())
        .contains("no pod of probelet-agent on node gone in namespace probelet-system");
    assertThat(calls())
        .as("as the chart labels a release of another name")
        .anyMatch(call ->
            call.contains("app.kubernetes.io/part-of=probelet,app.kubernetes.io/component=agent"));
  }

  @Test
  @DisplayName("as a plugin of kubectl passes other commands to probelet, and prints its help")
  void others() throws Exception {
    assertThat(run("kubectl-probelet", Map.of(), "validate", "x y.yaml").out())
        .contains("arg=validate\narg=x y.yaml\n");
    assertThat(run("kubectl-probelet", Map.of(), "ui", "--no-browser").out())
        .contains("arg=ui\narg=--no-browser\n");
    assertThat(run("kubectl-probelet", Map.of(), "status", "-o", "json", "--cluster").out())
        .contains("arg=status\narg=-o\narg=json\narg=--cluster\n");
    assertThat(run("kubectl-probelet", Map.of()).out())
        .contains("kubectl probelet status [NODE]", "Before NODE come");
  }

  private Map<String, String> kubectlOnPath() {
    return Map.of("PATH", directory + ":" + PATH);
  }

  /** A kubectl that notes how it is called and knows these pods; in x2 it finds something wrong. */
  private void kubectl(String pods) throws IOException {
    write(directory.resolve("pods"), pods.isEmpty() ? "" : pods + "\n");
    script(
        directory.resolve("kubectl"),
        """
        #!/bin/sh
        printf '%%s\\n' "$*" >>'%1$s/calls'
        case $* in
          *"get pods"*) cat '%1$s/pods' ;;
          *) echo 'as it is'; case $* in *" x2 "*) exit 1 ;; esac ;;
        esac
        """
            .formatted(directory));
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(directory.resolve("calls"));
  }

  private Ended run(String script, Map<String, String> environment, String... arguments)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(home.resolve("bin").resolve(script).toString());
    builder.command().addAll(List.of(arguments));
    return end(builder, environment);
  }

  private Ended end(ProcessBuilder builder, Map<String, String> environment) throws Exception {
    builder.environment().clear();
    builder.environment().put("PATH", PATH);
    builder.environment().putAll(environment);
    return FakeCheckout.end(builder.directory(directory.toFile()).start());
  }

  private static void script(Path file, String text) throws IOException {
    assertThat(write(file, text).toFile().setExecutable(true)).isTrue();
  }

  private static Path write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }
}
