package io.probelet.cli;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Commands that the help lists under one title. */
record CommandGroup(String title, List<String> commands) {
  /** All groups, in the order of the help. */
  static final List<CommandGroup> ALL =
      List.of(
          new CommandGroup("Run containers on this machine", List.of("run")),
          new CommandGroup(
              "Look at a running agent",
              List.of("status", "why", "top", "events", "explain", "logs")),
          new CommandGroup("Plan and check", List.of("validate", "advise", "simulate", "record")),
          new CommandGroup(
              "Work in a cluster",
              List.of("agent", "controller", "ui", "webhook-setup", "webhooks")),
          new CommandGroup("Tools", List.of("probe", "diagnose", "completion", "help", "version")));

  /** {@return the names of all commands} */
  static List<String> names() {
    return ALL.stream().flatMap(group -> group.commands.stream()).toList();
  }

  /** Makes the help of a command line that knows all commands list them by group. */
  static void listIn(CommandLine line) {
    line.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroup::list);
  }

  private static String list(Help help) {
    return ALL.stream()
        .map(group ->
            group.commands.stream()
                .map(name -> "  %-15s%s%n".formatted(name, summary(help, name)))
                .collect(Collectors.joining("", "%n%s:%n".formatted(group.title), "")))
        .collect(Collectors.joining());
  }

  /** The header of a command's help is one short line. */
  private static String summary(Help help, String name) {
    Help command = Objects.requireNonNull(help.subcommands().get(name), name);
    return String.join(" ", command.commandSpec().usageMessage().header());
  }
}
