package io.probelet.benchmarks;

import java.util.List;

/**
 * One of the benchmarks of {@code benchmarks/run all}.
 *
 * @param program {@code benchmarks/run} or another script of this repository
 * @param arguments the program's arguments, short enough for the whole suite
 * @param maxSeconds after which it is ended and counts as failed
 */
record SuitePart(String program, List<String> arguments, int maxSeconds, List<Goal> goals) {
  /** The script that starts this program. */
  static final String RUN = "benchmarks/run";

  static SuitePart run(int maxSeconds, String arguments, Goal... goals) {
    return new SuitePart(RUN, List.of(arguments.split(" ")), maxSeconds, List.of(goals));
  }

  static SuitePart script(int maxSeconds, String command, Goal... goals) {
    List<String> words = List.of(command.split(" "));
    return new SuitePart(
        words.getFirst(), words.subList(1, words.size()), maxSeconds, List.of(goals));
  }

  /**
   * {@return the name that selects it: its first argument, or the script's name without arguments}
   */
  String name() {
    return program.equals(RUN)
        ? arguments.getFirst()
        : program.substring(program.lastIndexOf('/') + 1);
  }

  /** {@return the command that runs only this part} */
  String command() {
    return (program + " " + String.join(" ", arguments)).strip();
  }
}
