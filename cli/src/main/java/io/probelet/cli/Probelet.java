package io.probelet.cli;

import io.probelet.cli.agent.AgentCommand;
import io.probelet.cli.agent.DetectorFlags;
import io.probelet.cli.agent.RunCommand;
import io.probelet.cli.controller.ControllerCommand;
import io.probelet.cli.controller.WebhookSetupCommand;
import io.probelet.cli.controller.WebhooksCommand;
import io.probelet.cli.diagnose.DiagnoseByAgent;
import io.probelet.cli.diagnose.DiagnoseCommand;
import io.probelet.cli.once.ProbeCommand;
import io.probelet.cli.status.AdviseCommand;
import io.probelet.cli.status.EventsCommand;
import io.probelet.cli.status.ExplainCommand;
import io.probelet.cli.status.LogsCommand;
import io.probelet.cli.status.StatusCommand;
import io.probelet.cli.status.TopCommand;
import io.probelet.cli.status.WhyCommand;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The program: reads the arguments, runs one command and exits with its code. */
@Command(
    name = "probelet",
    mixinStandardHelpOptions = true,
    versionProvider = Probelet.Version.class,
    customSynopsis = "probelet COMMAND [OPTION]...",
    descriptionHeading = "%n",
    description =
        "Probes containers as the kubelet does and restarts those that fail, watches nodes, and"
            + " remediates broken ones.",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet run examples/web.yaml    run a pod here, probe it, restart it",
      "  probelet status                   see what is broken, worst first",
      "",
      "See 'probelet help COMMAND' for a command's options and examples.",
      "Documentation: docs/ in the repository, share/doc in a release archive."
    })
public final class Probelet implements Runnable {
  private static final Set<String> VERSION = Set.of("--version", "-V", "version");

  /** They show or complete all the others. */
  private static final Set<String> ABOUT_ALL = Set.of("help", "completion");

  /**
   * Netty's id of the machine, for ids of channels that differ between machines. Nothing here needs
   * them; without it Netty searches all interfaces, and warns if there is only a loopback.
   */
  private static final String MACHINE_ID = "io.netty.machineId";

  @Spec private CommandSpec spec;

  private Probelet() {}

  public static void main(String[] args) {
    if (args.length == 1 && VERSION.contains(args[0])) {
      // Scripts ask for it first. Reading annotations would take three times as long as the rest.
      System.out.println(Version.text());
      return;
    }
    OptionalInt diagnosed = DiagnoseByAgent.quickly(args, System.getenv());
    if (diagnosed.isPresent()) {
      System.exit(diagnosed.getAsInt());
    }
    // Programs read container ids, drawings and JSON: their digits are ASCII in every locale.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    if (System.getProperty(MACHINE_ID) == null) {
      System.setProperty(MACHINE_ID, "00:00:00:00:00:01");
    }
    System.exit(commandLine(args).execute(args));
  }

  /**
   * Creates a command line that knows the command that the arguments begin with, else all of them.
   * Reading the options of all commands takes a tenth of the CPU time of an agent's start.
   *
   * @param args the program's arguments; without any, all commands are known
   * @return the command line, to be executed
   */
  public static CommandLine commandLine(String... args) {
    CommandLine line = new CommandLine(new Probelet());
    List<String> all = CommandGroup.names();
    boolean one = args.length > 0 && all.contains(args[0]) && !ABOUT_ALL.contains(args[0]);
    for (String name : one ? List.of(args[0]) : all) {
      line.addSubcommand(name, command(name));
    }
    if (!one) {
      CommandGroup.listIn(line);
    }
    FormerNames.acceptIn(line);
    UsageErrors.handleIn(line);
    line.setExecutionExceptionHandler((bug, command, _) -> internalError(bug, command));
    Optional.ofNullable(line.getSubcommands().get("run"))
        .ifPresent(run -> DetectorFlags.hideApiServer(run.getCommandSpec()));
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false); // an error would quote the words of any file
  }

  /** Exits with 2: 1 means that a problem was found, such as a container that is not ready. */
  private static int internalError(Exception bug, CommandLine command) {
    PrintWriter err = command.getErr();
    err.println(
        command.getCommandSpec().qualifiedName()
            + ": internal error; please report it with the following lines");
    bug.printStackTrace(err);
    err.flush();
    return 2;
  }

  private static Class<?> command(String name) {
    return switch (name) {
      case "run" -> RunCommand.class;
      case "agent" -> AgentCommand.class;
      case "controller" -> ControllerCommand.class;
      case "advise" -> AdviseCommand.class;
      case "explain" -> ExplainCommand.class;
      case "status" -> StatusCommand.class;
      case "ui" -> UiCommand.class;
      case "why" -> WhyCommand.class;
      case "top" -> TopCommand.class;
      case "events" -> EventsCommand.class;
      case "diagnose" -> DiagnoseCommand.class;
      case "validate" -> ValidateCommand.class;
      case "probe" -> ProbeCommand.class;
      case "simulate" -> SimulateCommand.class;
      case "record" -> RecordCommand.class;
      case "webhook-setup" -> WebhookSetupCommand.class;
      case "webhooks" -> WebhooksCommand.class;
      case "logs" -> LogsCommand.class;
      case "completion" -> CompletionCommand.class;
      case "help" -> HelpCommand.class;
      case "version" -> VersionCommand.class;
      default -> throw new IllegalArgumentException("no command: " + name);
    };
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {text()};
    }

    static String text() {
      String version = Probelet.class.getPackage().getImplementationVersion();
      return "probelet " + (version == null ? "(unpackaged)" : version);
    }
  }
}
