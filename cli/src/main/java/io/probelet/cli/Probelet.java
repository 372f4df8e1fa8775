package io.probelet.cli;

import io.probelet.cli.agent.AgentCommand;
import io.probelet.cli.agent.DetectorFlags;
import io.probelet.cli.agent.RunCommand;
import io.probelet.cli.controller.ControllerCommand;
import io.probelet.cli.controller.WebhookSetupCommand;
import io.probelet.cli.controller.WebhooksCommand;
import io.probelet.cli.diagnose.DiagnoseCommand;
import io.probelet.cli.once.ProbeCommand;
import io.probelet.cli.status.EventsCommand;
import io.probelet.cli.status.ExplainCommand;
import io.probelet.cli.status.StatusCommand;
import io.probelet.cli.status.TopCommand;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line's entry: reads the arguments, runs one subcommand and exits with its code. */
@Command(
    name = "probelet",
    mixinStandardHelpOptions = true,
    versionProvider = Probelet.Version.class,
    description = "Probes containers as the kubelet does and restarts them.")
public final class Probelet implements Runnable {
  /** By name, in the order of the help. */
  private static final List<String> COMMANDS =
      List.of(
          "run",
          "agent",
          "controller",
          "status",
          "top",
          "events",
          "ui",
          "explain",
          "diagnose",
          "validate",
          "probe",
          "simulate",
          "record",
          "webhook-setup",
          "webhooks");

  private static final Set<String> VERSION = Set.of("--version", "-V");

  private Probelet() {}

  public static void main(String[] args) {
    if (args.length == 1 && VERSION.contains(args[0])) {
      // What a script asks first. To read annotations for it takes three times as long as all else.
      System.out.println(Version.text());
      return;
    }
    // Container ids, drawings and JSON are for programs: their digits are ASCII in every locale.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    System.exit(commandLine(args).execute(args));
  }

  /**
   * Knows the command that the arguments begin with, or all of them: to read the options of all
   * takes a tenth of the processor time of an agent's start.
   *
   * @param args what the program was called with; without any, all commands are known
   * @return the command line, on which nothing has been run yet
   */
  public static CommandLine commandLine(String... args) {
    CommandLine line = new CommandLine(new Probelet());
    boolean known = args.length > 0 && COMMANDS.contains(args[0]);
    for (String name : known ? List.of(args[0]) : COMMANDS) {
      line.addSubcommand(name, command(name));
    }
    Optional.ofNullable(line.getSubcommands().get("run"))
        .ifPresent(run -> DetectorFlags.hideApiServer(run.getCommandSpec()));
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false); // else the words of any file end up in errors
  }

  private static Class<?> command(String name) {
    return switch (name) {
      case "run" -> RunCommand.class;
      case "agent" -> AgentCommand.class;
      case "controller" -> ControllerCommand.class;
      case "explain" -> ExplainCommand.class;
      case "status" -> StatusCommand.class;
      case "ui" -> UiCommand.class;
      case "top" -> TopCommand.class;
      case "events" -> EventsCommand.class;
      case "diagnose" -> DiagnoseCommand.class;
      case "validate" -> ValidateCommand.class;
      case "probe" -> ProbeCommand.class;
      case "simulate" -> SimulateCommand.class;
      case "record" -> RecordCommand.class;
      case "webhook-setup" -> WebhookSetupCommand.class;
      case "webhooks" -> WebhooksCommand.class;
      default -> throw new IllegalArgumentException("no command: " + name);
    };
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {text()};
    }

    private static String text() {
      String version = Probelet.class.getPackage().getImplementationVersion();
      return "probelet " + (version == null ? "(unpackaged)" : version);
    }
  }
}
