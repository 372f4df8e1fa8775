package io.probelet.cli;

import io.probelet.document.field.Suggestion;
import io.probelet.fleet.terminal.Terminal;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports a wrong command line: the error, what was probably meant, and where the help is. */
final class UsageErrors implements IParameterExceptionHandler {
  /** Of an argument that is quoted, so that a pasted file does not fill the screen. */
  private static final int MAX_QUOTED = 200;

  private UsageErrors() {}

  /** Makes a command line and its commands report errors this way. */
  static void handleIn(CommandLine line) {
    line.setParameterExceptionHandler(new UsageErrors())
        .registerConverter(int.class, new WholeNumber())
        .registerConverter(Path.class, new FileName());
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    CommandSpec spec = command.getCommandSpec();
    PrintWriter err = command.getErr();
    err.println(spec.qualifiedName() + ": " + Terminal.printable(text(failure)));
    err.println("See '" + spec.qualifiedName() + " --help'.");
    err.flush();
    return spec.exitCodeOnInvalidInput();
  }

  private static String text(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      return unmatched(unmatched);
    }
    ArgSpec arg = failure.getArgSpec();
    if (arg != null && arg.type().isEnum() && failure.getValue() != null) {
      return "%s: \"%s\" is not allowed; use %s"
          .formatted(name(arg), quoted(failure.getValue()), words(arg.type()));
    }
    return String.valueOf(failure.getMessage());
  }

  private static String unmatched(UnmatchedArgumentException failure) {
    CommandSpec spec = failure.getCommandLine().getCommandSpec();
    String word = failure.getUnmatched().getFirst();
    if (failure.isUnknownOption()) {
      return "unknown option '"
          + quoted(word)
          + "'"
          + suggestion(Suggestion.of(word, options(spec)));
    }
    return spec.subcommands().isEmpty()
        ? "unexpected argument '" + quoted(word) + "'"
        : unknownCommand(word, spec.subcommands().keySet());
  }

  /**
   * {@return the error for an unknown command}
   *
   * @param known the names there are
   */
  static String unknownCommand(String word, Collection<String> known) {
    return "unknown command '" + quoted(word) + "'" + suggestion(Suggestion.of(word, known));
  }

  private static String suggestion(Optional<String> probable) {
    return probable.map(word -> "; did you mean \"" + word + "\"?").orElse("");
  }

  private static List<String> options(CommandSpec spec) {
    return spec.options().stream()
        .filter(option -> !option.hidden())
        .flatMap(option -> Arrays.stream(option.names()))
        .filter(name -> name.startsWith("--"))
        .toList();
  }

  private static String name(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
  }

  private static String words(Class<?> type) {
    List<String> words =
        Arrays.stream(type.getEnumConstants())
            .map(each -> ((Enum<?>) each).name().toLowerCase(Locale.ROOT))
            .toList();
    return words.size() == 1
        ? words.getFirst()
        : words.stream().limit(words.size() - 1L).collect(Collectors.joining(", "))
            + " or "
            + words.getLast();
  }

  private static String quoted(String word) {
    return Terminal.line(word, MAX_QUOTED);
  }

  /** Reads a path, whose characters the locale must know. */
  private static final class FileName implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      try {
        return Path.of(text);
      } catch (InvalidPathException unmappable) {
        throw new TypeConversionException(
            ("\"%s\" has characters that file names cannot have in this locale, whose character set"
                    + " is %s; set LC_ALL=C.UTF-8")
                .formatted(quoted(text), System.getProperty("sun.jnu.encoding", "unknown")));
      }
    }
  }

  /** Reads a number; the command checks its range. */
  private static final class WholeNumber implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (!text.matches("-?[0-9]{1,9}")) {
        throw new TypeConversionException(
            "\"" + quoted(text) + "\" is not a whole number of at most nine digits");
      }
      return Integer.parseInt(text);
    }
  }
}
