package io.probelet.manifest.advice;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A container with the data that advice needs.
 *
 * @param grace its grace period, unless a probe has its own
 * @param listens whether it has ports
 * @param gated whether only the pod's readiness gate reports its readiness: the pod has the gate,
 *     and the container no readinessProbe in its spec
 * @param probedFromNode whether a kubelet probes it from outside its network
 * @param portsWithoutTcp the ports it declares for other protocols than TCP only
 * @param sourced its variables whose value is not written in the manifest
 */
public record AdvisedContainer(
    ContainerSpec spec,
    RestartPolicy podPolicy,
    Duration grace,
    boolean listens,
    boolean gated,
    boolean probedFromNode,
    Set<Integer> portsWithoutTcp,
    Set<String> sourced) {
  private static final Set<String> OWN_HOSTS = Set.of("localhost", "127.0.0.1", "::1");

  /** Keeps unmodifiable copies of the sets. */
  public AdvisedContainer {
    portsWithoutTcp = Set.copyOf(portsWithoutTcp);
    sourced = Set.copyOf(sourced);
  }

  @Nullable ProbeSpec probe(ProbeKind kind) {
    return spec.probes().get(kind);
  }

  boolean has(ProbeKind kind) {
    return spec.probes().containsKey(kind);
  }

  boolean has(ProbeKind kind, Predicate<ProbeSpec> rule) {
    ProbeSpec probe = probe(kind);
    return probe != null && rule.test(probe);
  }

  /** Returns whether the container runs permanently and serves others. */
  boolean serves() {
    return !spec.sidecar() && spec.restartPolicy(podPolicy) == RestartPolicy.ALWAYS;
  }

  /** How long it fails until the probe decides. */
  static Duration window(ProbeSpec probe) {
    return probe.period().multipliedBy(probe.failureThreshold());
  }

  static boolean runsCommand(ProbeSpec probe) {
    return any(probe.handler(), Exec.class::isInstance);
  }

  static boolean connectsOnly(ProbeSpec probe) {
    return probe.handler() instanceof TcpSocket tcp && tcp.tls() == null && tcp.dialog().isEmpty();
  }

  static boolean asksAnother(ProbeSpec probe) {
    return any(
        probe.handler(),
        handler -> {
          String host = host(handler);
          return host != null && !OWN_HOSTS.contains(host);
        });
  }

  static boolean asksLocalhost(ProbeSpec probe) {
    return any(
        probe.handler(),
        handler -> {
          String host = host(handler);
          return host != null && OWN_HOSTS.contains(host);
        });
  }

  boolean anyCommand(ProbeSpec probe, Predicate<List<String>> rule) {
    return any(
        probe.handler(), handler -> handler instanceof Exec exec && rule.test(exec.command()));
  }

  /** H-9: a value from elsewhere is empty; a shell runs what is unknown to the kubelet. */
  boolean hasVariableWithoutValue(List<String> command) {
    boolean shell = CommandText.startsShell(command);
    return CommandText.variables(command)
        .anyMatch(name -> sourced.contains(name) || (!shell && !spec.env().containsKey(name)));
  }

  boolean asksPortWithoutTcp(ProbeSpec probe) {
    return any(
        probe.handler(),
        handler -> {
          Port port =
              switch (handler) {
                case HttpGet http -> http.port();
                case TcpSocket tcp -> tcp.port();
                case Grpc grpc -> new Port.Numeric(grpc.port());
                case Datagram _, Exec _, AllOf _, AnyOf _ -> null;
              };
          return switch (port) {
            case null -> false;
            case Port.UnixSocket _ -> false;
            case Port.Numeric(int number) -> portsWithoutTcp.contains(number);
            case Port.Named(String name) -> portsWithoutTcp.contains(spec.ports().get(name));
          };
        });
  }

  private static @Nullable String host(ProbeHandler handler) {
    return switch (handler) {
      case HttpGet http -> http.host();
      case TcpSocket tcp -> tcp.host();
      case Datagram datagram -> datagram.host();
      case Grpc _, Exec _, AllOf _, AnyOf _ -> null;
    };
  }

  private static boolean any(ProbeHandler handler, Predicate<ProbeHandler> rule) {
    return switch (handler) {
      case AllOf all -> all.parts().stream().anyMatch(part -> any(part, rule));
      case AnyOf some -> some.parts().stream().anyMatch(part -> any(part, rule));
      default -> rule.test(handler);
    };
  }
}
