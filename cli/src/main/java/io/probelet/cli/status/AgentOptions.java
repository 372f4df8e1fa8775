package io.probelet.cli.status;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of all commands that show a running agent's data. */
final class AgentOptions extends AddressOption {
  @Option(
      names = {"-w", "--watch"},
      description =
          "Refresh until Ctrl-C; if the output is not a terminal, print a row for each change.")
  private boolean watch;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      converter = OutputConverter.class,
      description = "table or json (default: ${DEFAULT-VALUE}).")
  private Output output;

  private enum Output {
    TABLE,
    JSON
  }

  /** Created by the command line. */
  AgentOptions() {}

  boolean watch() {
    return watch;
  }

  boolean json() {
    return output == Output.JSON;
  }

  private static final class OutputConverter implements ITypeConverter<Output> {
    @Override
    public Output convert(String word) {
      return switch (word.toLowerCase(Locale.ROOT)) {
        case "table" -> Output.TABLE;
        case "json" -> Output.JSON;
        default ->
            throw new TypeConversionException("\"" + word + "\" is not allowed; use table or json");
      };
    }
  }
}
