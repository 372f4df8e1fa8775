package io.probelet.cli.status;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option that limits the rows of a table. */
final class RowLimit {
  private static final int MAX_ROWS = 10_000;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--rows",
      paramLabel = "COUNT",
      defaultValue = "30",
      description =
          "Show at most this many rows, 1 to " + MAX_ROWS + " (default: ${DEFAULT-VALUE}).")
  private int rows;

  /** Created by the command line. */
  RowLimit() {}

  /**
   * {@return the limit}
   *
   * @throws ParameterException if it is out of range
   */
  int rows() {
    if (rows < 1 || rows > MAX_ROWS) {
      throw new ParameterException(
          spec.commandLine(), "--rows must be from 1 to " + MAX_ROWS + ", not " + rows);
    }
    return rows;
  }
}
