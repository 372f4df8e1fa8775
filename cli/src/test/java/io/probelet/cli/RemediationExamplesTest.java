package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.remediator.resource.RemediationKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/**
 * examples/remediations, from a bare cluster to a node that is back: its commands, as the page has
 * them, do what the page shows. With {@code -Dprobelet.docs=write} timeline and picture are written
 * anew.
 */
class RemediationExamplesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path FOLDER = ROOT.resolve("examples/remediations");
  private static final Path PAGE = FOLDER.resolve("README.md");
  private static final Path PICTURE = FOLDER.resolve("timeline.svg");
  private static final Pattern COMMAND =
      Pattern.compile("^((?:probelet|kubectl) (?:[^\\n]*\\\\\n)*.*)$", Pattern.MULTILINE);
  private static final Pattern PATH = Pattern.compile("(?:deploy|examples)/\\S*");
  private static final Pattern TIMELINE =
      Pattern.compile("<!-- timeline -->\n(\n```\n.*?\n```\n)?", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  @DisplayName("probelet validate finds nothing wrong in the files that are applied")
  void valid() throws IOException {
    List<String> validate = command("probelet validate");
    assertThat(run(new ValidateCommand(), validate)).contains("no problems");
  }

  @Test
  @DisplayName("probelet simulate prints the timeline of the page, and draws its picture")
  void rehearsed() throws IOException {
    List<String> simulate = new ArrayList<>(command("probelet simulate"));
    Path drawn = folder.resolve("timeline.svg");
    assertThat(simulate.removeLast()).isEqualTo(PICTURE.toString());
    simulate.add(drawn.toString());
    String printed = run(new SimulateCommand(), simulate).replaceAll("(?m) +$", "");
    String page = Files.readString(PAGE);
    String actual =
        TIMELINE
            .matcher(page)
            .replaceAll(Matcher.quoteReplacement("<!-- timeline -->\n\n```\n" + printed + "```\n"));
    if ("write".equals(System.getProperty("probelet.docs"))) {
      Files.writeString(PAGE, actual);
      Files.copy(drawn, PICTURE, StandardCopyOption.REPLACE_EXISTING);
    }
    assertThat(page).isEqualTo(actual).contains("](timeline.svg)");
    assertThat(PICTURE).hasSameTextualContentAs(drawn);
  }

  @Test
  @DisplayName("files that commands name are there, and the page names every file of the folder")
  void files() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(COMMAND.matcher(page).results().flatMap(each -> paths(each.group())))
        .hasSizeGreaterThan(10)
        .allSatisfy(path -> assertThat(ROOT.resolve(path)).exists());
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> !name.equals("README.md"))
          .allMatch(name -> page.contains("(" + name + ")"));
    }
  }

  @Test
  @DisplayName("the kinds that the NodeHealthCheck names are switched on, and have their rights")
  void switchedOn() throws IOException {
    String page = Files.readString(PAGE);
    String escalation = Files.readString(FOLDER.resolve("escalation.yaml"));
    List<String> needed =
        Arrays.stream(RemediationKind.values())
            .filter(kind -> escalation.contains("kind: " + kind.templateKind()))
            .map(RemediationKind::label)
            .toList();
    assertThat(needed).hasSize(3);
    assertThat(page)
        .contains("PROBELET_REMEDIATORS=" + String.join(",", needed) + "\n")
        .contains(needed.stream().map(kind -> "-f deploy/remediators/" + kind + ".yaml").toList());
  }

  @Test
  @DisplayName("agents permit the units that are restarted, and to reboot")
  void permitted() throws IOException {
    Map<?, ?> map = new Yaml().load(Files.readString(FOLDER.resolve("agents.yaml")));
    String configuration = ((Map<?, ?>) map.get("data")).get("agent.yaml").toString();
    Map<?, ?> orders = (Map<?, ?>) ((Map<?, ?>) new Yaml().load(configuration)).get("orders");
    Path file = Files.writeString(folder.resolve("agent.yaml"), configuration);
    assertThat(run(new ValidateCommand(), List.of(file.toString()))).contains("no problems");
    assertThat(orders.get("enabled")).isEqualTo(true);
    assertThat(orders.get("reboot")).isEqualTo(true);
    Matcher units =
        Pattern.compile("units: \\[(.*)]")
            .matcher(Files.readString(FOLDER.resolve("escalation.yaml")));
    assertThat(units.find()).isTrue();
    assertThat(Set.copyOf((List<?>) orders.get("units")))
        .isEqualTo(Set.of((Object[]) units.group(1).split(", ")));
  }

  /** The arguments of the one command that begins so, as the page has it. */
  private static List<String> command(String beginning) throws IOException {
    List<String> commands =
        COMMAND
            .matcher(Files.readString(PAGE))
            .results()
            .map(MatchResult::group)
            .filter(each -> each.startsWith(beginning))
            .toList();
    assertThat(commands).hasSize(1);
    return Arrays.stream(
            commands
                .getFirst()
                .substring(beginning.length())
                .replace("\\\n", " ")
                .strip()
                .split("\\s+"))
        .map(word -> word.startsWith("examples/") ? ROOT.resolve(word).toString() : word)
        .toList();
  }

  private static Stream<String> paths(String command) {
    return PATH.matcher(command)
        .results()
        .map(MatchResult::group)
        .filter(path -> !path.endsWith(".svg"));
  }

  private static String run(Object command, List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        new CommandLine(command)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments.toArray(String[]::new));
    assertThat(err.toString()).isEmpty();
    assertThat(exit).as("%s", out).isZero();
    return out.toString();
  }
}
