import io.probelet.cli.Probelet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Writes a manual page for each command of Probelet, and its completion for bash, out of what
 * {@code --help} says.
 *
 * <pre>java -cp JARS ManPages.java VERSION SHARE</pre>
 *
 * <p>They are then in {@code SHARE/man/man1} and {@code SHARE/bash-completion/completions}.
 */
final class ManPages {
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
    try (PrintWriter script =
        new PrintWriter(Files.newBufferedWriter(completions.resolve("probelet")))) {
      int _ = Probelet.commandLine("completion").setOut(script).execute("completion", "bash");
    }
    new ManPages(args[0], man).write(probelet);
  }

  private void write(CommandLine command) throws IOException {
    Files.writeString(folder.resolve(page(command) + ".1"), text(command));
    for (CommandLine each : CommandModel.children(command)) {
      write(each);
    }
  }

  private String text(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    String description = CommandModel.description(spec);
    StringBuilder out = new StringBuilder();
    out.append(
        ".TH %s 1 \"\" \"probelet %s\" \"Probelet\"\n"
            .formatted(page(command).toUpperCase(Locale.ROOT), version));
    out.append(".SH NAME\n").append(escaped(page(command) + " - " + CommandModel.firstSentence(description)));
    out.append(".SH SYNOPSIS\n").append(escaped(CommandModel.synopsis(spec)));
    out.append(".SH DESCRIPTION\n").append(escaped(description));
    entries(out, "ARGUMENTS", CommandModel.parameters(spec));
    entries(out, "OPTIONS", CommandModel.options(spec));
    entries(out, "COMMANDS", commands(command));
    entries(out, "EXIT STATUS", spec.usageMessage().exitCodeList());
    section(out, "EXAMPLES", String.join("\n", CommandModel.examples(spec)));
    section(out, "NOTES", CommandModel.notes(spec));
    String others = others(command);
    if (!others.isEmpty()) {
      out.append(".SH SEE ALSO\n").append(escaped(others));
    }
    return out.toString();
  }

  private static Map<String, String> commands(CommandLine command) {
    Map<String, String> entries = new LinkedHashMap<>();
    CommandModel.children(command)
        .forEach(each ->
            entries.put(page(each) + "(1)", CommandModel.firstSentence(each.getCommandSpec())));
    return entries;
  }

  private static String others(CommandLine command) {
    CommandLine parent = command.getParent();
    return parent == null
        ? ""
        : Stream.concat(Stream.of(parent), CommandModel.children(parent).stream())
            .filter(each -> each != command)
            .map(each -> page(each) + "(1)")
            .collect(Collectors.joining(", "));
  }

  private static String page(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  private static void section(StringBuilder out, String heading, String text) {
    if (!text.isBlank()) {
      out.append(".SH ").append(heading).append('\n').append(escaped(text));
    }
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
