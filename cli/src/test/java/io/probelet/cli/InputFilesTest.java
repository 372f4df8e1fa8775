package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each command that reads a file, given one that is not what it reads: it may hold secrets, and it
 * may be endless.
 */
@Timeout(120)
class InputFilesTest {
  private static final String SECRET = "s3cretToken";

  /** FILE stands for the file; the others are fine. */
  private static final List<String> COMMANDS =
      List.of(
          "validate FILE",
          "validate FILE --policy=FILE",
          "run FILE",
          "run GOOD --config=FILE",
          "probe -f FILE",
          "probe --spec-file=FILE http://127.0.0.1:1/",
          "probe --spec-file=FILE",
          "probe --ca-file=FILE https://127.0.0.1:1/",
          "probe --cert=FILE --key=FILE https://127.0.0.1:1/",
          "simulate --nhc=FILE --scenario=FILE",
          "simulate --nhc=CHECK --scenario=FILE",
          "simulate --nhc=CHECK --scenario=SCENARIO --templates=FILE",
          "simulate --nhc=CHECK --scenario=SCENARIO --policy=FILE",
          "simulate --nhc=CHECK --tape=FILE",
          "record --output=OUT --from-prometheus=http://127.0.0.1:1/ --token-file=FILE",
          "record --output=OUT --from-prometheus=https://127.0.0.1:1/ --ca-file=FILE",
          "record --output=OUT --kubeconfig=FILE",
          "status --cluster --kubeconfig=FILE",
          "ui --no-browser --kubeconfig=FILE",
          "ui --no-browser --kubeconfig=FILE --tape=FILE",
          "agent --node-name=n --kubeconfig=FILE",
          "agent --node-name=n --kubeconfig=FILE --config=FILE",
          "agent --node-name=n --kubeconfig=FILE --monitor=FILE",
          "agent --node-name=n --kubeconfig=KUBE --config=FILE",
          "agent --node-name=n --kubeconfig=KUBE --monitor=FILE",
          "ui --no-browser --kubeconfig=KUBE --tape=FILE",
          "controller --kubeconfig=FILE",
          "diagnose --config=FILE --output=OUT",
          "webhooks undo x --kubeconfig=FILE",
          "webhook-setup --kubeconfig=FILE",
          "explain @FILE",
          "validate @FILE");

  private static final List<String> CONTENTS =
      List.of(
          SECRET,
          "\"" + SECRET + "\"",
          "{\"token\": " + SECRET + "}",
          "{\"token\": \"" + SECRET + "\"",
          "- " + SECRET,
          "a: *" + SECRET,
          "a: !" + SECRET + " x",
          "&" + SECRET + " a: &" + SECRET + " b",
          "%" + SECRET + " x\n--- a",
          "a: \"\\q" + SECRET + "\"",
          "token: " + SECRET + "\n  x: [",
          "token: '" + SECRET,
          "user:" + SECRET + "@host",
          "-----BEGIN PRIVATE KEY-----\n" + SECRET + "\n-----END PRIVATE KEY-----",
          "-----BEGIN CERTIFICATE-----\n" + SECRET + "\n-----END CERTIFICATE-----",
          "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {password: " + SECRET + "}",
          "apiVersion: v1\nkind: Config\nusers: [{name: a, user: {token: " + SECRET + "}}]");

  @TempDir private Path folder;

  static List<String> commands() {
    return COMMANDS;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void quotesNothingOfFileThatIsSomethingElse(String command) throws Exception {
    for (String content : CONTENTS) {
      if (command.startsWith("run") && content.startsWith("apiVersion")) {
        continue; // valid, and nothing to run
      }
      Path file = Files.writeString(folder.resolve("input"), content);
      assertThat(run(command, file)).as(content).doesNotContain(SECRET);
    }
  }

  /** Attack: a pipe or a device that never ends. A limit that is missing shows as no memory. */
  @ParameterizedTest
  @MethodSource("commands")
  void refusesEndlessFile(String command) throws Exception {
    assertThat(run(command, Path.of("/dev/zero"))).matches("(?s)exit code [12]: .*\\S.*");
  }

  /** Attack: few bytes that expand to billions of values, or overflow a stack. */
  @ParameterizedTest
  @MethodSource("commands")
  void refusesFilesThatExpand(String command) throws Exception {
    StringBuilder aliases = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 12; i++) {
      String before = "*a" + (i - 1) + ", ";
      aliases.append("a%d: &a%d [%s]\n".formatted(i, i, before.repeat(10)));
    }
    for (String content :
        List.of(
            aliases.toString(),
            "a: " + "[".repeat(100_000),
            "{\"a\":".repeat(100_000),
            "[" + "1,".repeat(500_000) + "1]")) {
      Path file = Files.writeString(folder.resolve("input"), content);
      assertThat(run(command, file)).matches("(?s)exit code [12]: .{1,3000}");
    }
  }

  /** Nobody answers there. */
  private Path kubeconfig() throws Exception {
    return Files.writeString(
        folder.resolve("kube"),
        """
        clusters: [{name: a, cluster: {server: "http://127.0.0.1:1"}}]
        contexts: [{name: c, context: {cluster: a, user: u}}]
        current-context: c
        """);
  }

  private String run(String command, Path file) throws Exception {
    String[] args =
        command
            .replace("FILE", file.toString())
            .replace("CHECK", "../examples/simulate/storm-nhc.yaml")
            .replace("SCENARIO", "../examples/simulate/storm-scenario.yaml")
            .replace("GOOD", "../examples/web.yaml")
            .replace("KUBE", kubeconfig().toString())
            .replace("OUT", folder.resolve("out").toString())
            .split(" ", -1);
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said);
    PrintStream err = System.err;
    PrintStream out = System.out;
    ByteArrayOutputStream direct = new ByteArrayOutputStream();
    try (PrintStream both = new PrintStream(direct, true, StandardCharsets.UTF_8)) {
      System.setErr(both);
      System.setOut(both);
      int code = Probelet.commandLine(args).setOut(to).setErr(to).execute(args);
      to.flush();
      return "exit code " + code + ": " + said + direct.toString(StandardCharsets.UTF_8);
    } finally {
      System.setErr(err);
      System.setOut(out);
    }
  }
}
