package io.probelet.simulation.node;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A pod on a simulated node: its address and its containers. */
public final class ScriptedPod {
  private final Supplier<Machine> machine;
  private final ProbedPod spec;
  private final String ip;
  private final boolean probedByKubelet;
  private boolean edited;
  private final List<ScriptedContainer> containers = new ArrayList<>();

  /**
   * Creates a pod whose containers have not started.
   *
   * @param probedByKubelet whether probes of its spec decide what its kubelet reports
   */
  ScriptedPod(
      Simulation world,
      Supplier<Machine> machine,
      ProbedPod spec,
      String ip,
      boolean probedByKubelet,
      Function<String, ContainerScript> scripts) {
    this.machine = machine;
    this.spec = spec;
    this.ip = ip;
    this.probedByKubelet = probedByKubelet;
    spec.containers()
        .forEach(each ->
            containers.add(new ScriptedContainer(world, this, each, scripts.apply(each.name()))));
  }

  /** {@return which pod} */
  public PodRef ref() {
    return spec.ref();
  }

  /** {@return what is probed of it} */
  public ProbedPod spec() {
    return spec;
  }

  /** Its probes are no longer those that it was created with. */
  void edited() {
    edited = true;
  }

  /** {@return whether its probes are no longer those that it was created with} */
  public boolean isEdited() {
    return edited;
  }

  /** {@return whether probes of its spec decide what its kubelet reports} */
  boolean isProbedByKubelet() {
    return probedByKubelet;
  }

  /** {@return its address} */
  public String ip() {
    return ip;
  }

  /** {@return its containers, in the order of its manifest} */
  public List<ScriptedContainer> containers() {
    return containers;
  }

  /** {@return one of its containers; null if it has none of the name} */
  public @Nullable ScriptedContainer container(String name) {
    for (ScriptedContainer each : containers) {
      if (each.spec().name().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /** {@return the instances of its containers that run} */
  List<ContainerInstance> running() {
    List<ContainerInstance> running = new ArrayList<>();
    for (ScriptedContainer each : containers) {
      ContainerInstance instance = each.running();
      if (instance != null) {
        running.add(instance);
      }
    }
    return running;
  }

  /** {@return where it runs now: each boot is another machine} */
  Machine machine() {
    return machine.get();
  }

  /** {@return what a runtime reports of it} */
  PodObservation observed() {
    Map<String, ContainerObservation> seen = new HashMap<>();
    for (ScriptedContainer each : containers) {
      ContainerObservation observed = each.observed();
      if (observed != null) {
        seen.put(each.spec().name(), observed);
      }
    }
    return new PodObservation(
        spec.ref(),
        containers.stream().allMatch(each -> each.newest() == null) ? Phase.PENDING : Phase.RUNNING,
        false,
        false,
        List.of(ip),
        seen);
  }
}
