package io.probelet.benchmarks;

import java.util.List;
import picocli.CommandLine.Option;

/** Which program a benchmark starts, for those that start one as a user does. */
final class ProgramOption {
  @Option(
      names = "--program",
      defaultValue = "./probelet",
      description = "What is run, up to its arguments (default: ${DEFAULT-VALUE}).")
  private String program = "";

  List<String> words() {
    return List.of(program.split(" "));
  }
}
