package io.probelet.cli.controller;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cli.console.EndSignal;
import io.probelet.cli.console.LogOptions;
import io.probelet.cli.console.Logging;
import io.probelet.cli.option.KubeconfigOption;
import io.probelet.cli.option.NamespaceOption;
import io.probelet.cli.option.ScrapeOptions;
import io.probelet.controller.ClusterController;
import io.probelet.controller.ControllerPorts;
import io.probelet.controller.ControllerSettings;
import io.probelet.health.FailureReason;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.metrics.BuildInfo;
import io.probelet.web.scrape.ScrapeSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code probelet controller}: the cluster-wide parts, each with one leader. */
@Command(
    name = "controller",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    header = "Remediate nodes and watch the cluster (Deployment)",
    description =
        "Runs the cluster-wide parts: node remediation, ClusterHealth, and taints for the agents."
            + " Each part has one leader among the replicas. Options take precedence over the"
            + " environment.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet controller --namespace probelet-system --kubeconfig ~/.kube/config",
      "  probelet controller --parts remediation,remediators --remediators drain,reboot"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:ended by Ctrl-C or TERM",
      " 2:wrong usage, or the API server cannot be reached"
    })
public final class ControllerCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int BAD_INPUT = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "${env:POD_NAME:-${env:HOSTNAME:-controller}}",
      description =
          "Name of this replica in leases (environment: POD_NAME; default: the host name).")
  private String name = "";

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:PROBELET_LISTEN:-" + ListenAddress.DEFAULT + "}",
      description =
          "Address for health, metrics and API (environment: PROBELET_LISTEN; default:"
              + " 127.0.0.1:20258).")
  private String listen = "";

  @Mixin private ScrapeOptions scrapeOptions = new ScrapeOptions();
  @Mixin private KubeconfigOption kubeconfigOption = new KubeconfigOption();
  @Mixin private NamespaceOption namespaceOption = new NamespaceOption();
  @Mixin private ControllerOptions controllerOptions = new ControllerOptions();
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
      err.println("probelet controller: " + FailureReason.withFile(unable));
      err.flush();
      return BAD_INPUT;
    } finally {
      end.ended();
    }
    return OK;
  }

  private ClusterController start() throws IOException {
    ControllerSettings settings = controllerOptions.settings();
    ListenAddress address = ListenAddress.parse(listen);
    ScrapeSettings metrics = scrapeOptions.prevailing(ScrapeSettings.OFF);
    ScrapeOptions.refuseIneffective(spec, metrics);
    String where = namespaceOption.namespace().require();
    ClusterAccess access = kubeconfigOption.access(Optional.empty());
    try {
      return new ClusterController(
          name,
          BuildInfo.version(),
          where,
          address,
          metrics,
          access,
          settings,
          ControllerPorts.ofMachine());
    } catch (IOException | RuntimeException unable) {
      access.close();
      throw unable;
    }
  }
}
