package io.probelet.monitor.plugin;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.check.NodeChecks;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import io.probelet.monitor.rule.CheckSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the health of a node component, and whether its log repeats a pattern too often.
 * Unlike node-problem-detector's plugin it never kills a service: repair is the task of
 * remediation.
 */
final class HealthChecker implements NodeCheck {
  private static final Logger LOG = LoggerFactory.getLogger(HealthChecker.class);
  private static final Set<String> FLAGS =
      Set.of(
          "component",
          "service",
          "cooldown-time",
          "loopback-time",
          "health-check-timeout",
          "crictl-path",
          "cri-socket-path",
          "cri-timeout",
          "log-pattern");
  private static final Set<String> SWITCHES = Set.of("enable-repair");
  private static final Path DOCKER = Path.of("/var/run/docker.sock");
  private static final Map<String, String> SERVICES =
      Map.of(
          "kubelet", "kubelet",
          "kube-proxy", "kube-proxy",
          "cri", "containerd",
          "docker", "docker");

  private final NodeCheck component;
  private final List<TooOften> patterns;
  private final JournalLines journal;
  private final Duration loopback;
  private final Duration timeout;
  private final BuiltIns around;

  /** This many matching lines are a problem. */
  private record TooOften(int count, Pattern pattern) {
    static TooOften parse(String text) {
      String[] parts = text.split(":", 2);
      try {
        return new TooOften(
            Integer.parseInt(parts[0]),
            Pattern.compile(parts[parts.length - 1], Pattern.CASE_INSENSITIVE));
      } catch (NumberFormatException | PatternSyntaxException malformed) {
        throw new IllegalArgumentException(
            "--log-pattern " + text + ": must be COUNT:PATTERN with an RE2 pattern", malformed);
      }
    }
  }

  private HealthChecker(PluginFlags flags, Duration timeout, BuiltIns around) {
    String name = flags.text("component", "kubelet");
    component = component(name, flags, around);
    patterns = flags.all("log-pattern").stream().map(TooOften::parse).toList();
    String service = flags.text("service", SERVICES.getOrDefault(name, name));
    journal =
        new JournalLines(
            around.journal(),
            new JournalPlace(around.machine().root(), ""),
            new JournalOrigin.Unit(service),
            around.machine().time());
    loopback = flags.duration("loopback-time", Duration.ZERO);
    flags.duration(
        "cooldown-time", Duration.ZERO); // the time between repairs, of which there are none
    this.timeout = timeout;
    this.around = around;
  }

  static NodeCheck of(List<String> args, Duration timeout, BuiltIns around) {
    HealthChecker checker =
        new HealthChecker(PluginFlags.parse(args, FLAGS, SWITCHES), timeout, around);
    LOG.debug("running the built-in health-checker, which never repairs arguments=\"{}\"", args);
    return checker;
  }

  private static NodeCheck component(String name, PluginFlags flags, BuiltIns around) {
    String host = around.environment().getOrDefault("HOST_ADDRESS", "127.0.0.1");
    return switch (name) {
      case "kubelet" -> http(host, around.environment().getOrDefault("KUBELET_PORT", "10248"));
      case "kube-proxy" -> http(host, around.environment().getOrDefault("KUBEPROXY_PORT", "10256"));
      case "cri" -> {
        Duration within = flags.duration("cri-timeout", Duration.ofSeconds(2));
        yield NodeChecks.of(new CheckSpec.ContainerRuntime(within, false), around.machine());
      }
      case "docker" -> new DockerPing(around.machine().seen(DOCKER));
      default ->
          throw new IllegalArgumentException(
              "--component " + name + ": must be kubelet, cri, docker or kube-proxy");
    };
  }

  private static NodeCheck http(String host, String port) {
    return NodeChecks.healthz(
        URI.create(
            "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/healthz"));
  }

  @Override
  public NodeCheckResult run() throws IOException, InterruptedException {
    NodeCheckResult result = component.run();
    if (!result.equals(NodeCheckResult.OK) || patterns.isEmpty()) {
      return result;
    }
    Instant since =
        loopback.isZero()
            ? around.boot().get()
            : around.machine().time().wallTime().minus(loopback);
    int[] matches = new int[patterns.size()];
    journal.read(since, timeout, line -> count(line, matches));
    for (int i = 0; i < matches.length; i++) {
      TooOften tooOften = patterns.get(i);
      if (matches[i] >= tooOften.count()) {
        return new NodeCheckResult.Problem(
            "at least %d lines match %s".formatted(tooOften.count(), tooOften.pattern()));
      }
    }
    return NodeCheckResult.OK;
  }

  /** Counts up to the threshold. */
  private void count(String line, int[] matches) {
    for (int i = 0; i < matches.length; i++) {
      TooOften tooOften = patterns.get(i);
      if (matches[i] < tooOften.count() && tooOften.pattern().matcher(line).find()) {
        matches[i]++;
      }
    }
  }
}
