package io.probelet.benchmarks;

import java.util.List;
import picocli.CommandLine.Option;

/** The program that a benchmark starts, for those that start it like a user. */
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
