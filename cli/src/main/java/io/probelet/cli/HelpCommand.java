package io.probelet.cli;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet help COMMAND}: the same as {@code probelet COMMAND --help}. */
@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    header = "Show the help of a command",
    description = "Shows the help of a command; without one, lists all commands.",
    footerHeading = "%nExamples:%n",
    footer = {"  probelet help status", "  probelet help webhooks undo"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:the help was printed", " 2:unknown command"})
final class HelpCommand implements Callable<Integer> {
  private static final int OK = 0;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      completionCandidates = Names.class,
      description = "Name of a command.")
  private List<String> names = List.of();

  @Override
  public Integer call() {
    CommandLine command = spec.root().commandLine();
    for (String name : names) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw new ParameterException(
            spec.commandLine(),
            UsageErrors.unknownCommand(name, command.getSubcommands().keySet()));
      }
      command = next;
    }
    command.usage(spec.commandLine().getOut());
    return OK;
  }

  /** What a shell proposes. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return CommandGroup.names().iterator();
    }
  }
}
