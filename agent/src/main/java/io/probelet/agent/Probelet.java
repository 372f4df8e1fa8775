package io.probelet.agent;

import io.probelet.agent.care.WebhooksCommand;
import io.probelet.agent.cluster.AgentCommand;
import io.probelet.agent.lead.ControllerCommand;
import io.probelet.agent.once.ProbeCommand;
import io.probelet.agent.remediation.WebhookSetupCommand;
import io.probelet.agent.run.RunCommand;
import io.probelet.agent.status.StatusCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line's entry: reads the arguments, runs one subcommand and exits with its code. */
@Command(
    name = "probelet",
    mixinStandardHelpOptions = true,
    versionProvider = Probelet.Version.class,
    subcommands = {
      RunCommand.class,
      AgentCommand.class,
      ControllerCommand.class,
      StatusCommand.class,
      ValidateCommand.class,
      ProbeCommand.class,
      SimulateCommand.class,
      WebhookSetupCommand.class,
      WebhooksCommand.class
    },
    description = "Probes containers as the kubelet does and restarts them.")
public final class Probelet implements Runnable {
  private Probelet() {}

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Probelet()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Probelet.class.getPackage().getImplementationVersion();
      return new String[] {"probelet " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
