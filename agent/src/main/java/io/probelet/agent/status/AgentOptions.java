package io.probelet.agent.status;

import io.probelet.agent.config.ListenAddressConverter;
import io.probelet.agent.http.ListenAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of all commands that show what a running agent knows. */
final class AgentOptions {
  @Option(
      names = {"-w", "--watch"},
      description =
          "Refresh the table until Ctrl-C; when the output is no terminal, print a row for"
              + " each change.")
  private boolean watch;

  @Option(
      names = {"-a", "--address"},
      paramLabel = "HOST:PORT",
      converter = ListenAddressConverter.class,
      description =
          "Where the agent listens (default: what PROBELET_LISTEN or the file of PROBELET_CONFIG"
              + " says, else "
              + ListenAddress.DEFAULT
              + ").")
  private @Nullable ListenAddress address;

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

  boolean namesAddress() {
    return address != null;
  }

  /**
   * {@return a client of the agent}
   *
   * @throws IllegalArgumentException if it cannot be known where it listens
   */
  AgentClient client() {
    return new AgentClient(AgentAddress.of(address, System.getenv(), null));
  }

  private static final class OutputConverter implements ITypeConverter<Output> {
    @Override
    public Output convert(String word) {
      return switch (word.toLowerCase(Locale.ROOT)) {
        case "table" -> Output.TABLE;
        case "json" -> Output.JSON;
        default ->
            throw new TypeConversionException(
                "\"" + word + "\" is not a format; use table or json");
      };
    }
  }
}
