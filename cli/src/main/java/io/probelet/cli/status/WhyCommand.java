package io.probelet.cli.status;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cli.option.FleetOptions;
import io.probelet.cli.option.FleetOptions.Fleet;
import io.probelet.fleet.AskedNodes;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.web.api.ViewJson;
import io.probelet.web.http.ContainerChoice;
import io.probelet.web.incident.ExplainedIncident;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet why}: why containers were restarted, crashed, or are not ready. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    header = "Say why a container was restarted, crashed or is not ready",
    description =
        "Prints the cause of the last restart, crash, hold or failing readiness of each container,"
            + " with its evidence. The agent keeps the records for 7 days, also over its own"
            + " restarts.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet why web                all containers of a pod",
      "  probelet why web httpd          one container",
      "  probelet why -n shop            all pods of a namespace",
      "  probelet why web -o json        with all evidence",
      "  probelet why --cluster          all nodes, by workload and cause"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:a cause was printed",
      " 1:nothing is recorded",
      " 2:no agent answers, or not all do, or wrong usage"
    })
public final class WhyCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int NOTHING = 1;
  private static final int UNKNOWN = 2;
  private static final int MAX_NAMES = 3;
  private static final int MAX_GROUPS = 20;

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "POD",
      description = "The pod; also NAMESPACE/POD or POD/CONTAINER (default: all pods).")
  private @Nullable String pod;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "CONTAINER",
      description = "The container (default: all of the pod).")
  private @Nullable String container;

  @Mixin private NamespaceFilter namespaces = new NamespaceFilter();

  @Option(
      names = "--cluster",
      description =
          "Ask the agents of all nodes, up to 1,000, with your kubeconfig, and group by workload and"
              + " cause.")
  private boolean cluster;

  @Mixin private AddressOption agent = new AddressOption();
  @Mixin private FleetOptions fleetOptions = new FleetOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: ${DEFAULT-VALUE}).")
  private Output output;

  private enum Output {
    TEXT,
    JSON
  }

  /** Created by the command line. */
  public WhyCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    refuseIneffective();
    try {
      ContainerName name = pod == null ? null : ContainerName.parse(pod);
      if (cluster) {
        return ofCluster(name);
      }
      return show(agent.client().incidents(ContainerChoice.ofNamespace(namespaces.name())), name);
    } catch (IllegalArgumentException | IOException | KubernetesClientException noAnswer) {
      return failed(FailureReason.withFile(noAnswer), UNKNOWN);
    }
  }

  private void refuseIneffective() {
    namespaces.check();
    FleetOptions.check(spec, cluster, agent.namesAddress());
    if (container != null && pod != null && pod.split("/", -1).length == MAX_NAMES) {
      throw new ParameterException(spec.commandLine(), "the container is named twice.");
    }
  }

  private int ofCluster(@Nullable ContainerName name) throws IOException, InterruptedException {
    List<ExplainedIncident> all = new ArrayList<>();
    try (Fleet fleet = fleetOptions.open()) {
      AskedNodes answered =
          AskedNodes.ask(fleet.nodes(), fleet.agent()::incidents, (_, found) -> all.addAll(found));
      all.sort(Comparator.comparing((ExplainedIncident each) -> each.incident().time()).reversed());
      int code = show(all, name);
      if (!answered.complete()) {
        return failed(
            "%d of %d nodes gave no answer%s"
                .formatted(
                    answered.nodes() - answered.asked() + answered.unanswered().size(),
                    answered.nodes(),
                    answered.unanswered().isEmpty()
                        ? ""
                        : "; the first: "
                            + answered.unanswered().getFirst().node()
                            + ": "
                            + answered.unanswered().getFirst().why()),
            UNKNOWN);
      }
      return code;
    }
  }

  private int show(List<ExplainedIncident> all, @Nullable ContainerName name) {
    List<ExplainedIncident> found =
        all.stream()
            .filter(each -> namespaces.allows(each.incident().namespace()))
            .filter(each -> name == null || name.matches(each.incident()))
            .filter(each -> container == null || each.incident().container().equals(container))
            .toList();
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      out.println(ViewJson.write(found));
    } else if (found.isEmpty()) {
      return failed(
          "nothing is recorded%s: no restart, crash or failing readiness in the last 7 days; `probelet status` lists all containers"
              .formatted(pod == null ? "" : " of " + pod),
          NOTHING);
    } else {
      Instant now = SystemClock.INSTANCE.wallTime();
      boolean grouped = cluster && name == null;
      (grouped ? WhyText.byWorkload(found, now, MAX_GROUPS) : WhyText.of(found, now))
          .forEach(out::println);
    }
    out.flush();
    return found.isEmpty() ? NOTHING : OK;
  }

  private int failed(String why, int code) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("probelet why: " + Terminal.line(why));
    err.flush();
    return code;
  }
}
