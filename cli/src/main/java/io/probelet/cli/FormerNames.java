package io.probelet.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Names that options had in earlier releases. They work, and no help shows them. The option itself
 * has no picocli default, which would be applied after parsing and overwrite the value.
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
  }
}
