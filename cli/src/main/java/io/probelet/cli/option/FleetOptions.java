package io.probelet.cli.option;

import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.console.QuietLogging;
import io.probelet.fleet.ClusterStatus;
import io.probelet.fleet.FleetAgent;
import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetReader;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of every command that shows a whole cluster. */
public final class FleetOptions {
  /** The names of all of them. */
  public static final List<String> NAMES =
      List.of("--kubeconfig", "--context", "--probelet-namespace");

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @Mixin private OperatorKubeconfig kubeconfig = new OperatorKubeconfig();

  @Option(
      names = "--probelet-namespace",
      paramLabel = "NAMESPACE",
      description =
          "Namespace of Probelet's controller, agents and leases (environment: POD_NAMESPACE;"
              + " default: probelet-system).")
  private @Nullable String namespace;

  /** Created by the command line. */
  public FleetOptions() {}

  /** A cluster, followed until closed. */
  public static final class Fleet implements AutoCloseable {
    private final ClusterAccess access;
    private final FleetReader reader;
    private final FleetAgent agent;

    private Fleet(ClusterAccess access, String namespace) {
      this.access = access;
      ApiServer api = ApiServer.of(access.client(), TIMEOUT);
      String server = access.client().getMasterUrl().toString();
      reader = new FleetReader(api, server, namespace, SystemClock.INSTANCE, new Random());
      agent = new FleetAgent(api, namespace, SystemClock.INSTANCE);
    }

    /** {@return the reader that follows the cluster; closed with this} */
    public FleetReader reader() {
      return reader;
    }

    /**
     * {@return the names of all nodes, sorted}
     *
     * @throws InterruptedException if the caller is interrupted meanwhile
     */
    public List<String> nodes() throws InterruptedException {
      return new ClusterStatus(reader)
          .read().nodes().stream().map(FleetNode::name).sorted().toList();
    }

    /** {@return the client of single agents} */
    public FleetAgent agent() {
      return agent;
    }

    @Override
    public void close() {
      reader.close();
      access.close();
    }
  }

  /**
   * Refuses options that do not go together, for a command that asks one agent or all of them.
   *
   * @param spec the command
   * @param cluster whether it asks all agents
   * @param namesAddress whether it names the address of one
   */
  public static void check(CommandSpec spec, boolean cluster, boolean namesAddress) {
    if (cluster && namesAddress) {
      throw new ParameterException(
          spec.commandLine(), "--cluster asks all agents: it does not go with --address.");
    }
    if (!cluster) {
      IneffectiveOptions.refuse(spec, "without --cluster", NAMES);
    }
  }

  /**
   * Starts to read the cluster that the options name. The view lists what cannot be read, so the
   * log does not.
   *
   * @return to be closed by the caller
   * @throws IOException if the cluster cannot be reached; the message is for the user
   */
  public Fleet open() throws IOException {
    QuietLogging.onlyErrorsOf("io.probelet.kube");
    String configured = namespace == null ? System.getenv("POD_NAMESPACE") : namespace;
    return new Fleet(kubeconfig.access(), PodNamespace.of(configured).orUsual());
  }
}
