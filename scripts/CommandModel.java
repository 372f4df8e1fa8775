import java.util.Arrays;
import java.util.Comparator;
import java.util.IllegalFormatException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What {@code --help} says of a command, in parts: for manual pages and for docs. */
final class CommandModel {
  private static final int NEVER_WRAPPED = 10_000;

  private CommandModel() {}

  private static Help help(CommandSpec spec) {
    spec.usageMessage().width(NEVER_WRAPPED);
    return new Help(spec, Help.defaultColorScheme(Ansi.OFF));
  }

  static String synopsis(CommandSpec spec) {
    return help(spec).synopsis(0).strip();
  }

  static String description(CommandSpec spec) {
    return format(spec.usageMessage().description()).collect(Collectors.joining(" "));
  }

  /** What is below the options: examples, or notes. */
  private static List<String> footer(CommandSpec spec) {
    return format(spec.usageMessage().footer()).toList();
  }

  /** The lines below the options that are indented: examples, with blanks before a comment. */
  static List<String> examples(CommandSpec spec) {
    return footer(spec).stream()
        .filter(line -> line.startsWith("  "))
        .map(line -> line.strip().replaceFirst(" {2,}", "   # "))
        .toList();
  }

  /** The others: sentences. */
  static String notes(CommandSpec spec) {
    return footer(spec).stream()
        .filter(line -> !line.startsWith("  "))
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining(" "));
  }

  /** As the help has it: picocli formats each line. */
  private static Stream<String> format(String... lines) {
    return Arrays.stream(lines).map(CommandModel::formatted).flatMap(String::lines);
  }

  private static String formatted(String line) {
    try {
      return String.format(line);
    } catch (IllegalFormatException plain) { // picocli takes it as it is, too
      return line;
    }
  }

  static Map<String, String> parameters(CommandSpec spec) {
    Help help = help(spec);
    Map<String, String> entries = new LinkedHashMap<>();
    spec.positionalParameters().stream()
        .filter(each -> !each.hidden())
        .forEach(each ->
            add(
                entries,
                help.createDefaultParameterRenderer()
                    .render(each, help.parameterLabelRenderer(), help.colorScheme())));
    return entries;
  }

  static Map<String, String> options(CommandSpec spec) {
    Help help = help(spec);
    Map<String, String> entries = new LinkedHashMap<>();
    spec.options().stream()
        .filter(each -> !each.hidden())
        .sorted(Comparator.comparing(OptionSpec::longestName))
        .forEach(each ->
            add(
                entries,
                help.createDefaultOptionRenderer()
                    .render(each, help.parameterLabelRenderer(), help.colorScheme())));
    return entries;
  }

  /** Takes the columns in which {@code --help} has an argument: its names, then what it is for. */
  private static void add(Map<String, String> entries, Text[][] rows) {
    String names =
        Stream.of(rows[0])
            .limit(rows[0].length - 1)
            .map(Text::toString)
            .map(each -> each.strip().equals(",") ? ", " : each.strip())
            .collect(Collectors.joining())
            .replaceFirst("^[*]", "");
    String description =
        Stream.of(rows)
            .map(row -> row[row.length - 1].toString().strip())
            .collect(Collectors.joining(" "));
    entries.put(names, description);
  }

  static List<CommandLine> children(CommandLine command) {
    return command.getSubcommands().values().stream()
        .filter(each -> !each.getCommandSpec().usageMessage().hidden())
        .toList();
  }

  static String firstSentence(CommandSpec spec) {
    return firstSentence(description(spec));
  }

  static String firstSentence(String text) {
    String sentence = text.split("(?<=[a-z])[.;:] ", 2)[0].strip();
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }
}
