package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    "status --namespace x, --namespace has no effect without --cluster",
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
    "probe grpc://x:1 --verify, --verify has no effect with grpc",
    "probe tcp://x:1 --cert a --key b, --cert has no effect with tcp",
    "probe https://x --ca-file y, --ca-file has no effect without --verify",
    "probe -f x -c y --verify, --verify has no effect without a URL",
    "probe --spec x --spec-file y, --spec-file has no effect with --spec",
    "controller --verbose, Unknown option: '--verbose'",
    "ui --demo --kubeconfig x, --kubeconfig has no effect with --demo",
    "ui --demo --context x, --context has no effect with --demo",
    "ui --demo --namespace x, --namespace has no effect with --demo",
    "ui -v, Unknown option: '-v'",
    "record -v, Unknown option: '-v'",
  })
  void refusesOptionsWithoutEffect(String line, String message) {
    StringWriter err = new StringWriter();
    assertThat(execute(err, line.split(" ", -1))).as(err.toString()).isEqualTo(2);
    assertThat(err.toString()).contains(message);
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
