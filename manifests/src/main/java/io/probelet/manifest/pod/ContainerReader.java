package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.name.DnsName;
import io.probelet.manifest.probe.DeclaredProbes;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.RestartPolicy;
import io.probelet.runtime.confine.Confinement;
import io.probelet.runtime.process.LocalContainer.EnvVar;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one container of a pod. */
final class ContainerReader {
  private static final String SIDECARS_ONLY =
      "may not be set for init containers without restartPolicy=Always";

  private final Mode mode;
  private final Path directory;
  private final @Nullable SecurityReader security;
  private final LifecycleReader lifecycle;
  private final @Nullable UnsupportedFields gaps;

  /**
   * Creates a reader.
   *
   * @param directory base of relative working directories
   * @param security the pod's settings for all of its containers; null if another runtime runs the
   *     containers
   * @param gaps reports fields that local processes do not support; null if another runtime runs
   *     them
   */
  ContainerReader(
      Mode mode,
      Path directory,
      @Nullable SecurityReader security,
      LifecycleReader lifecycle,
      @Nullable UnsupportedFields gaps) {
    this.mode = mode;
    this.directory = directory;
    this.security = security;
    this.lifecycle = lifecycle;
    this.gaps = gaps;
  }

  ReadContainer read(Fields container, boolean init) {
    String name = name(container.field("name"));
    @Nullable RestartPolicy policy =
        RestartReader.ofContainer(container.field("restartPolicy")).orElse(null);
    ContainerRole role = role(init, policy);
    Map<String, Integer> ports = PortsReader.read(container.field("ports"));
    List<EnvVar> env = new EnvReader(mode).read(container);
    ReadContainer read =
        new ReadContainer(
            name,
            role,
            policy,
            RestartReader.rules(container),
            ports,
            env,
            command(container.field("command")),
            arguments(container.field("args")),
            workingDir(container.field("workingDir")),
            security == null ? Confinement.NONE : security.read(container),
            probes(container, role, ports.keySet()),
            preStop(container.field("lifecycle"), role, ports.keySet()));
    if (gaps != null) {
      gaps.check(container);
    }
    return read;
  }

  private static String name(Field field) {
    int errors = field.errors();
    String name = field.text("");
    if (field.errors() == errors && name.isEmpty()) {
      field.required("the container's name");
    } else if (!name.isEmpty()) {
      DnsName.LABEL.check(field, name);
    }
    return name;
  }

  private static ContainerRole role(boolean init, @Nullable RestartPolicy policy) {
    if (!init) {
      return ContainerRole.REGULAR;
    }
    return policy == RestartPolicy.ALWAYS ? ContainerRole.SIDECAR : ContainerRole.INIT;
  }

  private List<String> command(Field field) {
    if (mode == Mode.STANDALONE_PROCESS && (!field.isPresent() || isEmptyList(field))) {
      field.required("images are not run here; specify the program to start");
    }
    return arguments(field);
  }

  private static boolean isEmptyList(Field field) {
    return field.isList() && field.items().isEmpty();
  }

  private static List<String> arguments(Field field) {
    List<String> arguments = field.textsOrEmpty();
    if (arguments.stream().anyMatch(argument -> argument.indexOf('\0') >= 0)) {
      field.invalid("must not contain the character NUL");
    }
    return arguments;
  }

  private @Nullable Path workingDir(Field field) {
    String name = field.text("");
    if (name.isEmpty()) {
      return null;
    }
    try {
      return directory.resolve(name).normalize();
    } catch (InvalidPathException e) {
      field.invalid("must be a path: " + e.getReason());
      return null;
    }
  }

  private static DeclaredProbes probes(
      Fields container, ContainerRole role, Set<String> portNames) {
    if (role != ContainerRole.INIT) {
      return DeclaredProbes.read(container, portNames);
    }
    // P-16: an init container ends and does not serve
    DeclaredProbes.forbid(container, SIDECARS_ONLY);
    return new DeclaredProbes(Set.of(), Map.of(), Set.of());
  }

  private @Nullable PreStopHook preStop(Field field, ContainerRole role, Set<String> portNames) {
    if (role != ContainerRole.INIT) {
      return lifecycle.read(field, portNames);
    }
    if (field.isPresent()) {
      field.forbidden(SIDECARS_ONLY);
    }
    return null;
  }
}
