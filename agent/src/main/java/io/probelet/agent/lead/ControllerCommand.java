package io.probelet.agent.lead;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.agent.cluster.access.ClusterAccess;
import io.probelet.agent.cluster.access.KubeconfigOption;
import io.probelet.agent.console.LogOptions;
import io.probelet.agent.console.Logging;
import io.probelet.agent.http.ListenAddress;
import io.probelet.agent.run.EndSignal;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code probelet controller}: what is done for a whole cluster, by one of its replicas. */
@Command(
    name = "controller",
    mixinStandardHelpOptions = true,
    description =
        "Remediates nodes, cares for the cluster and keeps its watched nodes: what is done for a"
            + " whole cluster, by one of the replicas at a time. Options prevail over the"
            + " environment.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:ended by Ctrl-C or TERM", " 2:wrong usage, or no way to the API server"})
public final class ControllerCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int BAD_INPUT = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "${env:POD_NAME:-${env:HOSTNAME:-controller}}",
      description =
          "What this replica is called in leases (environment: POD_NAME; default: the host's"
              + " name).")
  private String name = "";

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:PROBELET_LISTEN:-" + ListenAddress.DEFAULT + "}",
      description =
          "Where health, metrics and API are served (environment: PROBELET_LISTEN; default: "
              + ListenAddress.DEFAULT
              + ").")
  private String listen = "";

  @Mixin private KubeconfigOption kubeconfigOption = new KubeconfigOption();
  @Mixin private NamespaceOption namespaceOption = new NamespaceOption();
  @Mixin private LeadOptions leadOptions = new LeadOptions();
  @Mixin private LogOptions logOptions = new LogOptions();

  /** Created by the command line. */
  public ControllerCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    EndSignal end = EndSignal.install();
    try (Logging logging = logOptions.open();
        ClusterController controller = start()) {
      logging.addTo(controller.metrics());
      end.await();
    } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("probelet controller: " + unable.getMessage());
      err.flush();
      return BAD_INPUT;
    } finally {
      end.ended();
    }
    return OK;
  }

  private ClusterController start() throws IOException {
    LeadSettings settings = leadOptions.settings();
    ListenAddress address = ListenAddress.parse(listen);
    String where = namespaceOption.namespace().require();
    ClusterAccess access = kubeconfigOption.access(Optional.empty());
    try {
      return new ClusterController(name, where, address, access, settings, SystemClock.INSTANCE);
    } catch (IOException | RuntimeException unable) {
      access.close();
      throw unable;
    }
  }
}
