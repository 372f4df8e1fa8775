package io.probelet.cli.status;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option of how many rows a table has at most. */
final class RowLimit {
  private static final int MAX_ROWS = 10_000;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-n", "--rows"},
      paramLabel = "N",
      defaultValue = "30",
      description = "How many to show, 1 to " + MAX_ROWS + " (default: ${DEFAULT-VALUE}).")
  private int rows;

  /** Created by the command line. */
  RowLimit() {}

  /**
   * {@return how many}
   *
   * @throws ParameterException if that is none or too many
   */
  int rows() {
    if (rows < 1 || rows > MAX_ROWS) {
      throw new ParameterException(
          spec.commandLine(), "--rows must be 1 to " + MAX_ROWS + ", found " + rows);
    }
    return rows;
  }
}
