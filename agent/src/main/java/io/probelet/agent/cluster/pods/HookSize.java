package io.probelet.agent.cluster.pods;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.PreStopHook.Refused;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbedPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Limits the kept size of a pod's preStop hooks, as {@link SpecSize} does for its probes. A pod
 * with larger hooks is probed, and stopped without them.
 */
final class HookSize {
  /** The characters of commands, paths and headers: some pages of shell. */
  static final int MAX_CHARS = 32 * 1024;

  private HookSize() {}

  /** {@return why the hooks of a pod are ignored, if they are too long} */
  static Optional<String> complaint(ProbedPod pod) {
    long chars = chars(pod);
    return chars > MAX_CHARS
        ? Optional.of(
            "spec.containers: preStop hooks are not run when a probe has a container stopped: they"
                + " come to %d characters, more than %d".formatted(chars, MAX_CHARS))
        : Optional.empty();
  }

  /** {@return the characters of a pod's hooks} */
  static long chars(ProbedPod pod) {
    return pod.containers().stream().mapToLong(each -> chars(each.preStop())).sum();
  }

  /** {@return the pod with hooks that only say why they are not run} */
  static ProbedPod without(ProbedPod pod) {
    Refused refused = new Refused("the pod's hooks have more than " + MAX_CHARS + " characters");
    List<ContainerSpec> containers = new ArrayList<>();
    for (ContainerSpec each : pod.containers()) {
      containers.add(
          new ContainerSpec(
              each.name(),
              each.role(),
              each.restartPolicy(),
              each.restartRules(),
              each.ports(),
              each.env(),
              each.probes(),
              each.preStop() == null ? null : refused));
    }
    return new ProbedPod(pod.ref(), pod.restartPolicy(), pod.terminationGracePeriod(), containers);
  }

  private static long chars(@Nullable PreStopHook hook) {
    return switch (hook) {
      case PreStopHook.Exec(List<String> command) ->
          command.stream().mapToLong(word -> word.length() + 1L).sum();
      case PreStopHook.Request(HttpGet request) -> chars(request);
      case PreStopHook.Sleep _, Refused _ -> 0;
      case null -> 0;
    };
  }

  private static long chars(HttpGet request) {
    long chars = request.path().length();
    String host = request.host();
    chars += host == null ? 0 : host.length();
    for (HttpHeader header : request.headers()) {
      long value = header.value() instanceof HttpHeader.Literal(String text) ? text.length() : 0;
      chars += header.name().length() + value;
    }
    return chars;
  }
}
