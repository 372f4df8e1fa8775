package io.probelet.cli.docs;

import io.probelet.cli.Probelet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** Calls of Probelet in the documentation. */
final class ProbeletCalls {
  /** These need no cluster, no agent and no network, if their files are in the repository. */
  private static final Set<String> RUNNABLE = Set.of("validate", "simulate", "help", "version");

  /** What kubectl-probelet does itself with an agent or controller. */
  private static final Set<String> OF_PLUGIN = Set.of("status", "remediation");

  private static final Pattern OPTION_WITH_FILE = Pattern.compile("(--[a-z-]+=)(.+)");

  private final Path scratch;

  /**
   * Takes the calls of one test.
   *
   * @param scratch where files go that commands write
   */
  ProbeletCalls(Path scratch) {
    this.scratch = scratch;
  }

  /** What a command printed. */
  record Ran(Tried how, int exitCode, String out) {}

  /**
   * Parses a call, and runs it if that can be.
   *
   * @param arguments without the program's name
   * @throws ParameterException if the program does not know them
   */
  Ran call(List<String> arguments) throws IOException {
    String[] given = arguments.toArray(String[]::new);
    Probelet.commandLine(given).parseArgs(given);
    if (arguments.isEmpty() || !RUNNABLE.contains(arguments.getFirst())) {
      return new Ran(Tried.PARSED, 0, "");
    }
    List<String> real = new ArrayList<>();
    boolean output = false;
    for (String argument : arguments) {
      if (output) {
        real.add(scratch.resolve(Path.of(argument).getFileName()).toString());
        output = false;
        continue;
      }
      output = argument.equals("--svg");
      var option = OPTION_WITH_FILE.matcher(argument);
      String file = option.matches() ? option.group(2) : argument;
      boolean isThere = !argument.startsWith("-") && Files.exists(DocBlock.ROOT.resolve(file));
      if (isPath(file) && !isThere) {
        return new Ran(Tried.PARSED, 0, ""); // of the reader's own
      }
      real.add(
          isPath(file)
              ? (option.matches() ? option.group(1) : "") + DocBlock.ROOT.resolve(file)
              : argument);
    }
    StringWriter out = new StringWriter();
    CommandLine line = Probelet.commandLine(real.toArray(String[]::new));
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    int exitCode = line.execute(real.toArray(String[]::new));
    return new Ran(Tried.RUN, exitCode, out.toString().replace(DocBlock.ROOT + "/", ""));
  }

  private static boolean isPath(String word) {
    return word.contains("/") || word.matches(".*\\.(yaml|json|jsonl)") || word.equals("-");
  }

  /**
   * Parses a call of the plugin for kubectl.
   *
   * @param arguments behind {@code kubectl probelet}
   */
  Ran plugin(List<String> arguments) throws IOException {
    if (!OF_PLUGIN.contains(arguments.getFirst()) || arguments.contains("--cluster")) {
      return call(arguments);
    }
    List<String> own = new ArrayList<>(List.of("status"));
    if (arguments.getFirst().equals("remediation")) {
      own.add("--remediation");
    }
    List<String> rest = new ArrayList<>(arguments.subList(1, arguments.size()));
    if (!rest.isEmpty() && !rest.getFirst().startsWith("-")) {
      rest.removeFirst(); // the node
    }
    own.addAll(rest);
    return call(own);
  }

  /** Parses what a sentence mentions of a call: it may leave out what is required. */
  static void mention(List<String> arguments) {
    String[] given = arguments.toArray(String[]::new);
    try {
      Probelet.commandLine(given).parseArgs(given);
    } catch (MissingParameterException part) {
      // the sentence names only an option
    }
  }
}
