package io.probelet.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Names that options had in earlier releases. They work with a warning, and no help shows them. The
 * option itself has no picocli default, which would be applied after parsing and overwrite the
 * value.
 */
record FormerNames(String command, String option, List<String> names) {
  /** All of them. */
  static final List<FormerNames> ALL =
      List.of(
          new FormerNames("probe", "--repeat", List.of("-n")),
          new FormerNames("diagnose", "--archive", List.of("-o", "--output")),
          new FormerNames("record", "--tape", List.of("--output")),
          new FormerNames("ui", "--probelet-namespace", List.of("--namespace")));

  /** Makes the commands that a command line knows accept them. */
  static void acceptIn(CommandLine line) {
    for (FormerNames former : ALL) {
      CommandLine command = line.getSubcommands().get(former.command);
      if (command != null) {
        CommandSpec spec = command.getCommandSpec();
        OptionSpec option = spec.findOption(former.option);
        spec.addOption(
            option.toBuilder().names(former.names.toArray(String[]::new)).hidden(true).build());
      }
    }
    line.setExecutionStrategy(parsed -> {
      warn(parsed);
      return new CommandLine.RunLast().execute(parsed);
    });
  }

  private static void warn(ParseResult parsed) {
    ParseResult command = parsed.subcommand();
    if (command == null) {
      return;
    }
    CommandSpec spec = command.commandSpec();
    for (FormerNames former : ALL) {
      former.names.stream()
          .filter(name -> former.command.equals(spec.name()) && command.hasMatchedOption(name))
          .forEach(name -> {
            PrintWriter err = spec.commandLine().getErr();
            err.println(
                "%s: warning: %s is a former name of %s; use that"
                    .formatted(spec.qualifiedName(), name, former.option));
            err.flush();
          });
    }
  }
}
