package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Every option of every command has an effect, or is refused; and help describes its own command.
 */
class CommandOptionsTest {
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][\\w.-]*\\w");
  private static final Pattern OTHER_COMMAND =
      Pattern.compile("`probelet [^`]*`|probelet \\w+ --\\w+");

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "status --context x, --context has no effect without --cluster",
    "status --kubeconfig x, --kubeconfig has no effect without --cluster",
    "status --probelet-namespace x, --probelet-namespace has no effect without --cluster",
    "status --cluster --namespace x, name Probelet's own with --probelet-namespace",
    "status --cluster --unwell, --unwell has no effect with --cluster",
    "status --cluster web, a pod has no effect with --cluster",
    "status -A -n x, --namespace has no effect with --all-namespaces",
    "top -A -n x, --namespace has no effect with --all-namespaces",
    "status --remediation web, a pod has no effect with --remediation",
    "logs web -p -f, --follow has no effect with --previous",
    "logs web a -c b, the container is named twice",
    "logs web --tail -2, '--tail must be from 0 to 1000000, or -1 for all lines'",
    "completion fish, 'SHELL: \"fish\" is not allowed; use bash or zsh'",
    "help stauts, 'unknown command ''stauts''; did you mean \"status\"?'",
    "run --runtime docker /, '--runtime: \"docker\" is not allowed; use process or cri'",
    "top --sort x, '--sort: \"x\" is not allowed; use trouble, latency, failures or changes'",
    "ui --port x, '\"x\" is not a whole number of at most nine digits'",
    "run --listen 127.0.0.1:99999 /, port 99999 is out of range 0-65535",
    "status --nmespace x, 'unknown option ''--nmespace''; did you mean \"--namespace\"?'",
    "status --remediation --context x, --context has no effect without --cluster",
    "status --cluster --address 127.0.0.1:1, it goes with neither --remediation nor --address",
    "explain a/b/c -n x, --namespace has no effect with NAMESPACE/POD/CONTAINER",
    "run --max-execs 3 /, --max-execs has no effect without --runtime cri",
    "run --runtime cri --log-dir x /, --log-dir has no effect with --runtime cri",
    "run --runtime cri --back-off 1s /, --back-off has no effect with --runtime cri",
    "run --runtime cri --back-off-max 1s /, --back-off-max has no effect with --runtime cri",
    "run --runtime cri --back-off-reset 1s /, --back-off-reset has no effect with --runtime cri",
    "run --monitor none --kmsg x /, --kmsg has no effect without monitors",
    "run --monitor none --host-root / /, --host-root has no effect without monitors",
    "agent --parts remediation, --parts has no effect without --lead",
    "agent --remediators drain, --remediators has no effect without --lead",
    "agent --lease-namespace x, --lease-namespace has no effect without --lead",
    "agent --event-component x, --event-component has no effect without --lead",
    "agent --webhook-listen :1, --webhook-listen has no effect without --lead",
    "agent --webhook-certificates x, --webhook-certificates has no effect without --lead",
    "agent --uninstall --listen :1, --listen has no effect with --uninstall=node",
    "agent --uninstall -v, --verbose has no effect with --uninstall=node",
    "agent --uninstall=all --node-name x, --node-name has no effect with --uninstall=all",
    "controller --parts cluster-care --remediators drain, without remediators among --parts",
    "controller --parts cluster-care --webhook-listen :1, without remediation among --parts",
    "controller --parts cluster-care --event-component x, without remediation among --parts",
    "controller --parts cluster-care --lease-namespace x, without remediation among --parts",
    "controller --metrics-certificates x, --metrics-certificates has no effect while metrics are",
    "agent --metrics-certificates x, --metrics-certificates has no effect while metrics are not",
    "record --since 1d, --since has no effect without --from-prometheus",
    "record --token-file x, --token-file has no effect without --from-prometheus",
    "record --match x, --match has no effect without --from-prometheus",
    "record --from-prometheus http://x --context y, --context has no effect with --from-prom",
    "simulate --tape x --until 1h, --until has no effect with --tape",
    "simulate --tape x --svg y, --svg has no effect with --tape",
    "simulate --scenario x --nhc y --heals-after 1m, --heals-after has no effect with --scenario",
    "probe tcp://x:1 --container c, --container has no effect without --file",
    "probe tcp://x:1 --kind liveness, --kind has no effect without --file",
    "probe tcp://x:1 --pod-ip ::1, --pod-ip has no effect with a URL",
    "probe tcp://x:1 -H a:b, --header has no effect with tcp",
    "probe grpcs://x:1 -H a:b, --header has no effect with grpcs",
    "probe tcp://x:1 --min-validity 1h, --min-validity has no effect with tcp",
    "probe tls://x:1 -H a:b, --header has no effect with tls",
    "probe grpc://x:1 --unix-socket /a, --unix-socket has no effect with grpc",
    "probe tcp://x:1 --method HEAD, --method has no effect with tcp",
    "probe h2c://x:1 --verify, --verify has no effect with h2c",
    "probe tcp://x:1 --authority a, --authority has no effect with tcp",
    "probe grpc://x:1 --verify, --verify has no effect with grpc",
    "probe tcp://x:1 --cert a --key b, --cert has no effect with tcp",
    "probe -f x -c y --verify, --verify has no effect without a URL",
    "probe --spec x --spec-file y, --spec-file has no effect with --spec",
    "controller --verbose, unknown option '--verbose'",
    "ui --demo --kubeconfig x, --kubeconfig has no effect with --demo",
    "ui --demo --context x, --context has no effect with --demo",
    "ui --demo --namespace x, --namespace has no effect with --demo",
    "ui -v, unknown option '-v'",
    "record -v, unknown option '-v'",
  })
  void refusesOptionsWithoutEffect(String line, String message) {
    StringWriter err = new StringWriter();
    assertThat(execute(err, line.split(" ", -1))).as(err.toString()).isEqualTo(2);
    assertThat(err.toString()).contains(message).doesNotContain("(case-insensitive)", "Exception");
    assertThat(err.toString().lines().filter(each -> !each.contains(": warning: ")))
        .as("the error and where the help is, not the whole help")
        .hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void namesAPathThatTheLocaleCannotExpress() {
    StringWriter err = new StringWriter();
    assertThat(execute(err, "validate", "a\0b")).isEqualTo(2);
    assertThat(err.toString())
        .contains(": \"a", "has characters that file names cannot have in this locale")
        .doesNotContain("Exception");
  }

  @ParameterizedTest
  @CsvSource({
    "probe tcp://x:1 -n 2, --repeat, 2",
    "probe tcp://x:1, --repeat, 1",
    "diagnose --output x, --archive, x",
    "diagnose -o x, --archive, x",
    "record --output x, --tape, x",
    "record, --tape, tape.jsonl",
    "ui --namespace x, --probelet-namespace, x",
  })
  @DisplayName("names of options in earlier releases have the same effect")
  void formerNames(String line, String option, String value) {
    String[] args = line.split(" ", -1);
    CommandLine command = Probelet.commandLine(args);
    command.parseArgs(args);
    CommandSpec spec = command.getSubcommands().get(args[0]).getCommandSpec();
    assertThat(spec.findOption(option).<Object>getValue()).hasToString(value);
  }

  @Test
  void warnsAboutFormerName() {
    String[] args = {"probe", "tcp://127.0.0.1:1", "-n", "1"};
    StringWriter err = new StringWriter();
    int _ =
        Probelet.commandLine(args)
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err))
            .execute(args);
    assertThat(err.toString())
        .contains("probelet probe: warning: -n is a former name of --repeat; use that");
  }

  /** -f is a file for a command that reads one and follow for logs, as in kubectl. */
  private static final Map<String, Set<String>> LETTERS =
      Map.ofEntries(
          Map.entry("-a", Set.of("--address")),
          Map.entry("-A", Set.of("--all-namespaces")),
          Map.entry("-c", Set.of("--container")),
          Map.entry("-f", Set.of("--file", "--follow")),
          Map.entry("-h", Set.of("--help")),
          Map.entry("-H", Set.of("--header")),
          Map.entry("-n", Set.of("--namespace")),
          Map.entry("-o", Set.of("--output")),
          Map.entry("-p", Set.of("--previous")),
          Map.entry("-v", Set.of("--verbose")),
          Map.entry("-V", Set.of("--version")),
          Map.entry("-w", Set.of("--watch")));

  @ParameterizedTest
  @MethodSource("commands")
  @DisplayName("a letter has one meaning in all commands")
  void letters(CommandSpec spec) {
    for (OptionSpec option : spec.options()) {
      for (String name : option.names()) {
        if (!option.hidden() && name.length() == 2) {
          assertThat(LETTERS.getOrDefault(name, Set.of()))
              .as(spec.qualifiedName() + " " + name)
              .contains(option.longestName());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  @DisplayName("--output is a format, which -o abbreviates; --namespace has -n")
  void longNames(CommandSpec spec) {
    for (OptionSpec option : spec.options()) {
      if (!option.hidden() && option.longestName().equals("--output")) {
        assertThat(option.paramLabel()).as(spec.qualifiedName()).isEqualTo("FORMAT");
        assertThat(option.names()).as(spec.qualifiedName()).contains("-o");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  @DisplayName("the help of every command has a summary and an example of it")
  void examples(CommandSpec spec) {
    assertThat(Stream.of(spec.usageMessage().footer()))
        .as(spec.qualifiedName())
        .anyMatch(line -> line.contains(spec.qualifiedName()));
    if (spec.parent() != null) {
      assertThat(String.join("", spec.usageMessage().header()))
          .as(spec.qualifiedName())
          .isNotBlank()
          .hasSizeLessThan(70)
          .doesNotEndWith(".");
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  @DisplayName("examples use options that the command has")
  void examplesParse(CommandSpec spec) {
    Pattern own = Pattern.compile("(?<![\\w-])--?[A-Za-z][\\w-]*");
    for (String line : spec.usageMessage().footer()) {
      int at = line.indexOf("probelet " + spec.name());
      if (at < 0 || spec.subcommands().keySet().stream().anyMatch(line::contains)) {
        continue;
      }
      String words = line.substring(at).replaceFirst(" {3,}.*", "").replaceFirst("[|>].*", "");
      own.matcher(words.replaceAll("'[^']*'", "x"))
          .results()
          .map(found -> found.group())
          .forEach(name ->
              assertThat(spec.findOption(name.startsWith("--") ? name : name.substring(0, 2)))
                  .as(line)
                  .isNotNull());
    }
  }

  @Test
  void diagnoseMakesNoFolderForItsArchive(@TempDir Path dir) throws Exception {
    Path none = dir.resolve("none");
    StringWriter err = new StringWriter();
    assertThat(execute(err, "diagnose", "-o", none.resolve("x").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("its folder does not exist");
    assertThat(none).doesNotExist();
    assertThat(execute(err, "diagnose", "-o", Files.createDirectory(none).toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is a folder; name a file");
  }

  static Stream<CommandSpec> commands() {
    return all(Probelet.commandLine("--help").getCommandSpec()).stream();
  }

  private static List<CommandSpec> all(CommandSpec spec) {
    List<CommandSpec> all = new ArrayList<>(List.of(spec));
    spec.subcommands().values().forEach(each -> all.addAll(all(each.getCommandSpec())));
    return all;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpNamesOptionsOfItsOwnCommandOnly(CommandSpec spec) {
    String help =
        Stream.concat(
                Stream.of(spec.usageMessage().description()),
                spec.args().stream()
                    .filter(arg -> !arg.hidden())
                    .map(ArgSpec::description)
                    .flatMap(Stream::of))
            .map(text -> OTHER_COMMAND.matcher(text).replaceAll(""))
            .collect(Collectors.joining("\n"));
    Set<String> unknown = new TreeSet<>();
    OPTION
        .matcher(help)
        .results()
        .map(found -> found.group())
        .filter(name -> spec.options().stream().noneMatch(option -> isNamed(option, name)))
        .forEach(unknown::add);
    assertThat(unknown).isEmpty();
  }

  /** By a prefix, too: --prometheus-… stands for several. */
  private static boolean isNamed(OptionSpec option, String name) {
    return !option.hidden()
        && Stream.of(option.names())
            .anyMatch(each -> each.equals(name) || each.startsWith(name + "-"));
  }

  private static int execute(StringWriter err, String... args) {
    CommandLine line = Probelet.commandLine(args);
    line.getSubcommands().values().forEach(each -> each.setErr(new PrintWriter(err)));
    return line.setErr(new PrintWriter(err)).execute(args);
  }
}
