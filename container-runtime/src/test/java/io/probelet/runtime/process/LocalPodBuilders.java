package io.probelet.runtime.process;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ContainerSpec.RestartRule;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import io.probelet.runtime.confine.Confinement;
import io.probelet.runtime.process.LocalContainer.EnvVar;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** LocalPodBuilders and containers with good defaults. */
final class LocalPodBuilders {
  private LocalPodBuilders() {}

  static PodBuilder pod() {
    return new PodBuilder();
  }

  static ContainerBuilder container(String name, String... command) {
    return new ContainerBuilder(name, command.length == 0 ? List.of("true") : List.of(command));
  }

  static ContainerBuilder sh(String name, String script) {
    return container(name, "/bin/sh", "-c", script);
  }

  static final class PodBuilder {
    private final List<LocalContainer> init = new ArrayList<>();
    private final List<LocalContainer> regular = new ArrayList<>();
    private String name = "web";
    private String uid = "0a1b2c3d-0000";
    private RestartPolicy policy = RestartPolicy.ALWAYS;
    private Duration grace = Duration.ofSeconds(30);

    PodBuilder named(String value) {
      name = value;
      uid = value + "-uid-0000";
      return this;
    }

    PodBuilder policy(RestartPolicy value) {
      policy = value;
      return this;
    }

    PodBuilder grace(Duration value) {
      grace = value;
      return this;
    }

    PodBuilder init(ContainerBuilder... containers) {
      for (ContainerBuilder each : containers) {
        init.add(each.build());
      }
      return this;
    }

    PodBuilder with(ContainerBuilder... containers) {
      for (ContainerBuilder each : containers) {
        regular.add(each.build());
      }
      return this;
    }

    LocalPod build() {
      return new LocalPod(new PodRef("default", name, uid), policy, grace, init, regular);
    }
  }

  static final class ContainerBuilder {
    private final String name;
    private final List<String> command;
    private final List<EnvVar> env = new ArrayList<>();
    private List<String> args = List.of();
    private @Nullable Path workingDir;
    private Confinement confinement = Confinement.NONE;
    private ContainerRole role = ContainerRole.REGULAR;
    private boolean startupProbe;
    private @Nullable RestartPolicy policy;
    private @Nullable PreStopHook preStop;
    private List<RestartRule> rules = List.of();

    private ContainerBuilder(String name, List<String> command) {
      this.name = name;
      this.command = command;
    }

    ContainerBuilder args(String... values) {
      args = List.of(values);
      return this;
    }

    ContainerBuilder env(String variable, String value) {
      env.add(new EnvVar(variable, value));
      return this;
    }

    ContainerBuilder in(Path dir) {
      workingDir = dir;
      return this;
    }

    ContainerBuilder heldTo(Confinement value) {
      confinement = value;
      return this;
    }

    ContainerBuilder sidecar() {
      role = ContainerRole.SIDECAR;
      return this;
    }

    ContainerBuilder preStop(PreStopHook value) {
      preStop = value;
      return this;
    }

    ContainerBuilder startupProbe() {
      startupProbe = true;
      return this;
    }

    ContainerBuilder policy(RestartPolicy value, RestartRule... exceptions) {
      policy = value;
      rules = List.of(exceptions);
      return this;
    }

    LocalContainer build() {
      Map<ProbeKind, ProbeSpec> probes =
          startupProbe
              ? Map.of(
                  ProbeKind.STARTUP,
                  ProbeSpec.of(new ProbeHandler.TcpSocket(new Port.Numeric(80), null)).build())
              : Map.of();
      return new LocalContainer(
          new ContainerSpec(name, role, policy, rules, Map.of(), Map.of(), probes, preStop),
          command,
          args,
          env,
          workingDir,
          confinement);
    }
  }
}
