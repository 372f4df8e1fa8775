package io.probelet.manifest.pod;

import io.probelet.manifest.probe.DeclaredProbes;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ContainerSpec.RestartRule;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import io.probelet.runtime.confine.Confinement;
import io.probelet.runtime.process.LocalContainer;
import io.probelet.runtime.process.LocalContainer.EnvVar;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A container from its manifest, before the annotation is applied. Parts with errors are missing or
 * have defaults; the pod is dropped then.
 */
record ReadContainer(
    String name,
    ContainerRole role,
    @Nullable RestartPolicy restartPolicy,
    List<RestartRule> restartRules,
    Map<String, Integer> ports,
    List<EnvVar> env,
    List<String> command,
    List<String> args,
    @Nullable Path workingDir,
    Confinement confinement,
    DeclaredProbes probes,
    @Nullable PreStopHook preStop) {

  ContainerSpec spec(Map<ProbeKind, ProbeSpec> finalProbes) {
    return new ContainerSpec(
        name,
        role,
        restartPolicy,
        restartRules,
        ports,
        EnvReader.byName(env),
        finalProbes,
        preStop);
  }

  LocalContainer local(Map<ProbeKind, ProbeSpec> finalProbes) {
    return new LocalContainer(spec(finalProbes), command, args, env, workingDir, confinement);
  }
}
