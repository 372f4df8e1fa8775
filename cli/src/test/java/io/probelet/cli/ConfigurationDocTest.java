package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.ConfigurationDocuments;
import io.probelet.agent.config.ConfigurationFile;
import io.probelet.cli.agent.AgentCommand;
import io.probelet.cli.controller.ControllerCommand;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** docs/reference/configuration.md says what is so. */
class ConfigurationDocTest {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern BETWEEN = Pattern.compile("(\\d+) to (\\d+)");
  private static final Pattern AT_LEAST = Pattern.compile("at least (\\d+)");

  /** A row of the table of keys, its code without the backticks. */
  record Key(String name, String type, String absent, String allowed) {
    ConfigurationFile.Reading with(String value) {
      String[] path = name.split("\\.", -1);
      String yaml = path[0] + ":\n  " + path[1] + ": " + value + "\n";
      return ConfigurationFile.read(Path.of("agent.yaml"), Source.of(yaml));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static List<String[]> rows(String section) throws IOException {
    String text = Files.readString(Path.of("..", "docs", "reference", "configuration.md"));
    String from = text.substring(text.indexOf("## " + section));
    int end = from.indexOf("\n## ", 1);
    return (end < 0 ? from : from.substring(0, end))
        .lines()
        .filter(line -> line.startsWith("| `") || line.startsWith("| – |"))
        .map(line -> line.substring(2, line.length() - 2).split(" \\| ", -1))
        .toList();
  }

  static List<Key> keys() throws IOException {
    return rows("The file").stream()
        .map(cells -> new Key(code(cells[0]), cells[1], expanded(code(cells[2])), cells[3]))
        .toList();
  }

  /** With $HOME as the program has it; where a state folder is set, that is the default. */
  private static String expanded(String value) {
    String state = System.getenv().getOrDefault("XDG_STATE_HOME", "");
    return state.isEmpty()
        ? value.replace("$HOME", System.getenv().getOrDefault("HOME", "/tmp"))
        : value.replace("$HOME/.local/state", state);
  }

  private static String code(String cell) {
    return cell.replace("`", "");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("keys")
  @DisplayName("a key that says its default says nothing")
  void defaults(Key key) {
    ConfigurationFile.Reading reading = key.with(key.absent());
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.configuration()).isEqualTo(AgentConfiguration.DEFAULT);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("keys")
  @DisplayName("what is allowed is taken, what lies just beyond is not")
  void allowed(Key key) {
    List<String> good = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    Matcher between = BETWEEN.matcher(key.allowed());
    Matcher atLeast = AT_LEAST.matcher(key.allowed());
    if (between.matches()) {
      good.addAll(List.of(between.group(1), between.group(2)));
      bad.add(Integer.toString(Integer.parseInt(between.group(1)) - 1));
      bad.add(Integer.toString(Integer.parseInt(between.group(2)) + 1));
    } else if (atLeast.matches()) {
      good.addAll(List.of(atLeast.group(1), "2147483647"));
      bad.add(Integer.toString(Integer.parseInt(atLeast.group(1)) - 1));
    } else if (key.allowed().equals("above 0")) {
      good.addAll(List.of("1ms", "1.5s", "24h"));
      bad.addAll(List.of("0s", "-1s"));
    } else {
      CODE.matcher(key.allowed()).results().forEach(each -> good.add("\"" + each.group(1) + "\""));
      good.replaceAll(each -> asTyped(key.type(), each));
    }
    bad.add("{nothing: like this}");
    switch (key.type()) {
      case "list", "objects" -> bad.addAll(List.of("[nonsense]", "nonsense"));
      case "paths" -> bad.add("nonsense");
      case "names" -> bad.addAll(List.of("nonsense", "[not/a/name]", "[\"a:80\"]", "[.]"));
      case "map", "path" -> bad.add("[]");
      default -> bad.addAll(List.of("[]", "nonsense"));
    }
    assertThat(good).isNotEmpty();
    good.forEach(value -> assertThat(key.with(value).problems()).as(value).isEmpty());
    bad.forEach(value -> assertThat(key.with(value).problems()).as(value).isNotEmpty());
  }

  private static String asTyped(String type, String quoted) {
    return switch (type) {
      case "list", "paths", "names" -> "[" + quoted + "]";
      case "boolean", "map" -> quoted.replace("\"", "");
      case "objects" -> "[" + quoted.replace("\"", "") + "]";
      default -> quoted;
    };
  }

  @Test
  @DisplayName("there is a row for every value that the records hold")
  void complete() throws IOException {
    assertThat(keys()).hasSize((int) leaves(AgentConfiguration.class).count());
  }

  private static Stream<RecordComponent> leaves(Class<?> record) {
    return Arrays.stream(record.getRecordComponents())
        .flatMap(component ->
            component.getType().isRecord()
                    && component.getType().getSimpleName().endsWith("Settings")
                ? leaves(component.getType())
                : Stream.of(component));
  }

  @Test
  @DisplayName("what follows from a change is told of every key")
  void changing() throws IOException {
    List<String> told =
        rows("Changing it").stream()
            .flatMap(cells -> CODE.matcher(cells[0]).results())
            .map(code -> code.group(1))
            .toList();
    assertThat(keys())
        .extracting(Key::name)
        .allMatch(
            name -> told.contains(name) || told.contains(name.substring(0, name.indexOf('.'))));
  }

  @Test
  @DisplayName("there is a row for every flag of the agent, with its environment and default")
  void flags() throws IOException {
    assertTold(new CommandLine(new AgentCommand()), rows("Flags"));
  }

  @Test
  @DisplayName("there is a row for every flag of the controller, with its environment and default")
  void controllersFlags() throws IOException {
    assertTold(new CommandLine(new ControllerCommand()), rows("The controller"));
  }

  private static void assertTold(CommandLine command, List<String[]> rows) throws IOException {
    for (OptionSpec option : command.getCommandSpec().options()) {
      String name = option.longestName();
      String[] row =
          rows.stream()
              .filter(cells -> cells[0].contains("`" + name + "`"))
              .findFirst()
              .orElseThrow();
      assertThat(row[0]).contains(option.names());
      String absent =
          ((Field) option.userObject()).getAnnotation(CommandLine.Option.class).defaultValue();
      if (absent.startsWith("${env:")) {
        assertThat(absent).matches("\\$\\{env:" + code(row[1]) + "(:-.*)?}");
        if (!absent.contains(":-${") && absent.contains(":-") && row[3].startsWith("`")) {
          String otherwise = absent.substring(absent.indexOf(":-") + 2, absent.length() - 1);
          assertThat(row[3].replace("`, `", ",")).isEqualTo("`" + otherwise + "`");
        }
      } else {
        assertThat(row[1]).isEqualTo("–");
      }
      if (row[2].startsWith("`")) {
        Key key =
            keys().stream()
                .filter(each -> each.name().equals(code(row[2])))
                .findFirst()
                .orElseThrow();
        assertThat(code(row[3])).isEqualTo(key.absent());
      }
    }
    assertThat(rows.stream().flatMap(cells -> CODE.matcher(cells[0]).results()).distinct())
        .hasSize(
            command.getCommandSpec().options().stream()
                .mapToInt(option -> option.names().length)
                .sum());
  }

  @Test
  void manifestsPageListsKeysThatIdentifyTheFile() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "how-to", "manifests.md"));
    String row =
        page.lines()
            .filter(line -> line.startsWith("| [configuration of agents]"))
            .findFirst()
            .orElseThrow();
    List<String> listed =
        CODE.matcher(row.substring(row.indexOf("keys")))
            .results()
            .map(each -> each.group(1))
            .toList();
    List<String> sections =
        keys().stream().map(key -> key.name().replaceFirst("[.].*", "")).distinct().toList();
    assertThat(listed).containsExactlyInAnyOrderElementsOf(sections);
    for (String section : listed) {
      Document document = Document.yaml(Source.of(section + ": {}")).findFirst().orElseThrow();
      assertThat(document.root())
          .as(section)
          .isInstanceOfSatisfying(
              Node.Mapping.class,
              root -> assertThat(new ConfigurationDocuments().recognises(root)).isTrue());
    }
  }
}
