import io.probelet.cli.Probelet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes a manual page for each command of Probelet, and its completion for bash, out of what
 * {@code --help} says.
 *
 * <pre>java -cp JARS ManPages.java VERSION SHARE</pre>
 *
 * <p>They are then in {@code SHARE/man/man1} and {@code SHARE/bash-completion/completions}.
 */
final class ManPages {
  private static final int NEVER_WRAPPED = 10_000;

  private final String version;
  private final Path folder;

  private ManPages(String version, Path folder) {
    this.version = version;
    this.folder = folder;
  }

  public static void main(String[] args) throws IOException {
    Path share = Path.of(args[1]);
    Path man = Files.createDirectories(share.resolve("man/man1"));
    Path completions = Files.createDirectories(share.resolve("bash-completion/completions"));
    CommandLine probelet = Probelet.commandLine();
    Files.writeString(
        completions.resolve("probelet"), AutoComplete.bash("probelet", probelet) + "\n");
    new ManPages(args[0], man).write(probelet);
  }

  private void write(CommandLine command) throws IOException {
    command.getCommandSpec().usageMessage().width(NEVER_WRAPPED);
    Files.writeString(folder.resolve(page(command) + ".1"), text(command));
    for (CommandLine each : children(command)) {
      write(each);
    }
  }

  private String text(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    Help help = new Help(spec, Help.defaultColorScheme(Ansi.OFF));
    String description = String.join(" ", spec.usageMessage().description());
    StringBuilder out = new StringBuilder();
    out.append(
        ".TH %s 1 \"\" \"probelet %s\" \"Probelet\"\n"
            .formatted(page(command).toUpperCase(Locale.ROOT), version));
    out.append(".SH NAME\n").append(escaped(page(command) + " - " + firstSentence(description)));
    out.append(".SH SYNOPSIS\n").append(escaped(help.synopsis(0).strip()));
    out.append(".SH DESCRIPTION\n").append(escaped(description));
    entries(out, "ARGUMENTS", parameters(help, spec));
    entries(out, "OPTIONS", options(help, spec));
    entries(out, "COMMANDS", commands(command));
    entries(out, "EXIT STATUS", spec.usageMessage().exitCodeList());
    String footer = String.join("\n", spec.usageMessage().footer());
    if (!footer.isBlank()) {
      out.append(".SH EXAMPLES\n").append(escaped(footer));
    }
    String others = others(command);
    if (!others.isEmpty()) {
      out.append(".SH SEE ALSO\n").append(escaped(others));
    }
    return out.toString();
  }

  private static Map<String, String> parameters(Help help, CommandSpec spec) {
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

  private static Map<String, String> options(Help help, CommandSpec spec) {
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

  private static Map<String, String> commands(CommandLine command) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (CommandLine each : children(command)) {
      String description = String.join(" ", each.getCommandSpec().usageMessage().description());
      entries.put(page(each) + "(1)", firstSentence(description));
    }
    return entries;
  }

  private static String others(CommandLine command) {
    CommandLine parent = command.getParent();
    return parent == null
        ? ""
        : Stream.concat(Stream.of(parent), children(parent).stream())
            .filter(each -> each != command)
            .map(each -> page(each) + "(1)")
            .collect(Collectors.joining(", "));
  }

  private static List<CommandLine> children(CommandLine command) {
    return command.getSubcommands().values().stream()
        .filter(each -> !each.getCommandSpec().usageMessage().hidden())
        .toList();
  }

  private static String page(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  private static String firstSentence(String text) {
    String sentence = text.split("(?<=[a-z])[.;:] ", 2)[0].strip();
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }

  private static void entries(StringBuilder out, String heading, Map<String, String> entries) {
    if (!entries.isEmpty()) {
      out.append(".SH ").append(heading).append('\n');
      entries.forEach((term, text) ->
          out.append(".TP\n.B ").append(escaped(term.strip())).append(escaped(text)));
    }
  }

  /** Text as roff takes it: no line of it is a request, no hyphen of it a dash. */
  private static String escaped(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .map(line -> line.replace("\\", "\\e").replace("-", "\\-"))
        .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
        .collect(Collectors.joining("\n.br\n", "", "\n"));
  }
}
