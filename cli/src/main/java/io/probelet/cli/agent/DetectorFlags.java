package io.probelet.cli.agent;

import io.probelet.agent.node.NodeReports;
import io.probelet.health.GoDuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * Flags of node-problem-detector, so that its command lines keep working. A flag without
 * effect causes a warning.
 */
public final class DetectorFlags {
  /** Flags about writing to an API server. */
  static final List<String> OF_API_SERVER =
      List.of(
          "--hostname-override",
          "--apiserver-override",
          "--k8s-exporter-update-node-conditions",
          "--k8s-exporter-write-events",
          "--k8s-exporter-heartbeat-period",
          "--event-namespace");

  private static final Duration MIN_HEARTBEAT = Duration.ofSeconds(1);
  private static final Pattern KUBECONFIG = Pattern.compile("[?&]auth=([^&\\x00]+)");

  @Option(
      names = "--hostname-override",
      paramLabel = "NAME",
      description =
          "As in node-problem-detector: the node's name. Takes precedence over --node-name.")
  private @Nullable String hostname;

  @Option(
      names = "--apiserver-override",
      paramLabel = "URI",
      description =
          "As in node-problem-detector, but only its kubeconfig (?inClusterConfig=false&auth=FILE)"
              + " is used. --kubeconfig takes precedence.")
  private @Nullable String apiServer;

  @Option(
      names = "--enable-k8s-exporter",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description =
          "As in node-problem-detector: false turns off conditions and events of the Node, and"
              + " /conditions of --npd-compat (default: ${DEFAULT-VALUE}).")
  private boolean exporter;

  @Option(
      names = "--k8s-exporter-update-node-conditions",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "Write conditions of the Node (default: ${DEFAULT-VALUE}).")
  private boolean conditions;

  @Option(
      names = "--k8s-exporter-write-events",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "Write events about the Node (default: ${DEFAULT-VALUE}).")
  private boolean events;

  @Option(
      names = "--k8s-exporter-heartbeat-period",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description =
          "Interval at which unchanged conditions are written (default: ${DEFAULT-VALUE}).")
  private String heartbeat;

  @Option(
      names = "--event-namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "",
      description = "Namespace of events about the Node (default: Kubernetes' own).")
  private String eventNamespace;

  @Option(
      names = {
        "--kube-api-qps",
        "--kube-api-burst",
        "--apiserver-wait-timeout",
        "--apiserver-wait-interval"
      },
      paramLabel = "VALUE",
      hidden = true,
      description = "Accepted for compatibility, without effect: requests have fixed limits.")
  private List<String> requestLimits = List.of();

  @Option(
      names = {
        "--v",
        "--vmodule",
        "--stderrthreshold",
        "--log_dir",
        "--log_file",
        "--log_file_max_size",
        "--log_backtrace_at"
      },
      paramLabel = "VALUE",
      hidden = true,
      description = "Accepted for compatibility, without effect: see --verbose and --log-format.")
  private List<String> logging = List.of();

  @Option(
      names = {
        "--logtostderr",
        "--alsologtostderr",
        "--add_dir_header",
        "--skip_headers",
        "--skip_log_headers",
        "--one_output"
      },
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      hidden = true,
      description = "Accepted for compatibility, without effect: see --verbose and --log-format.")
  private List<String> loggingSwitches = List.of();

  @Option(
      names = "--exporter.stackdriver",
      paramLabel = "FILE",
      hidden = true,
      description = "Accepted for compatibility, without effect: nothing is sent to Stackdriver.")
  private @Nullable String stackdriver;

  /** Created by the command line. */
  public DetectorFlags() {}

  /** {@return the node's name, if a flag sets it} */
  public Optional<String> nodeName() {
    return Optional.ofNullable(hostname).filter(name -> !name.isEmpty());
  }

  /** {@return the kubeconfig, if a flag names one} */
  public Optional<Path> kubeconfig() {
    Matcher file = KUBECONFIG.matcher(apiServer == null ? "" : apiServer);
    return file.find() ? Optional.of(Path.of(file.group(1))) : Optional.empty();
  }

  /** {@return whether to write to the API server and serve {@code /conditions}} */
  boolean exporting() {
    return exporter;
  }

  /**
   * {@return what to write to the API server}
   *
   * @throws IllegalArgumentException if the heartbeat is invalid; the message is for the user
   */
  NodeReports reports() {
    return new NodeReports(exporter && conditions, exporter && events, heartbeat(), eventNamespace);
  }

  private Duration heartbeat() {
    try {
      Duration period = GoDuration.parse(heartbeat);
      if (period.compareTo(MIN_HEARTBEAT) >= 0) {
        return period;
      }
    } catch (IllegalArgumentException malformed) {
      throw heartbeat(malformed);
    }
    throw heartbeat(null);
  }

  private IllegalArgumentException heartbeat(@Nullable IllegalArgumentException malformed) {
    return new IllegalArgumentException(
        "--k8s-exporter-heartbeat-period \"" + heartbeat + "\" must be 1s or more, such as 5m",
        malformed);
  }

  /**
   * Hides the flags about an API server in the help of a command that uses none. They are accepted
   * with a warning.
   */
  public static void hideApiServer(CommandSpec command) {
    for (String name : OF_API_SERVER) {
      OptionSpec shown = Objects.requireNonNull(command.findOption(name), name);
      command.remove(shown);
      command.addOption(shown.toBuilder().hidden(true).build());
    }
  }

  /**
   * {@return warnings about flags that never have an effect, for the user}
   *
   * @param usesApiServer whether the command uses an API server
   */
  List<String> warnings(boolean usesApiServer) {
    List<String> warnings = new ArrayList<>();
    if (usesApiServer && apiServer != null && kubeconfig().isEmpty()) {
      warnings.add(
          "--apiserver-override "
              + apiServer
              + " is ignored: the API server's address comes from the kubeconfig or the pod's service"
              + " account; use --kubeconfig");
    }
    if (!requestLimits.isEmpty()) {
      warnings.add(
          "--kube-api-qps, --kube-api-burst, --apiserver-wait-timeout and --apiserver-wait-interval"
              + " have no effect: requests have fixed limits, and the agent does not wait for the API"
              + " server");
    }
    if (!logging.isEmpty() || !loggingSwitches.isEmpty()) {
      warnings.add(
          "klog's flags (--v, --logtostderr and others) have no effect: see --verbose and"
              + " --log-format");
    }
    if (stackdriver != null) {
      warnings.add("--exporter.stackdriver has no effect: nothing is sent to Stackdriver");
    }
    return warnings;
  }
}
