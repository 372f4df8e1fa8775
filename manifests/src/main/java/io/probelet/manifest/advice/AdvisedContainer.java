package io.probelet.manifest.advice;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import java.time.Duration;
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
 */
public record AdvisedContainer(
    ContainerSpec spec, RestartPolicy podPolicy, Duration grace, boolean listens, boolean gated) {
  private static final Set<String> OWN_HOSTS = Set.of("localhost", "127.0.0.1", "::1");

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
    return probe.handler() instanceof TcpSocket;
  }

  static boolean asksAnother(ProbeSpec probe) {
    return any(
        probe.handler(),
        handler -> {
          String host =
              switch (handler) {
                case HttpGet http -> http.host();
                case TcpSocket tcp -> tcp.host();
                case Grpc _, Exec _, AllOf _, AnyOf _ -> null;
              };
          return host != null && !OWN_HOSTS.contains(host);
        });
  }

  private static boolean any(ProbeHandler handler, Predicate<ProbeHandler> rule) {
    return switch (handler) {
      case AllOf all -> all.parts().stream().anyMatch(part -> any(part, rule));
      case AnyOf some -> some.parts().stream().anyMatch(part -> any(part, rule));
      default -> rule.test(handler);
    };
  }
}
