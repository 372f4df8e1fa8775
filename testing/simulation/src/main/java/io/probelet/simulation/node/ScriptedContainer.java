package io.probelet.simulation.node;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A container whose truth is known: its script says how each of its instances lives, and faults of
 * its node disturb all of them. It answers afterwards how it was at any time.
 */
public final class ScriptedContainer {
  /** How many instances are remembered after their end. */
  private static final int REMEMBERED = 20;

  private final Simulation world;
  private final ScriptedPod pod;
  private final ContainerSpec spec;
  private final ContainerScript script;
  private final RandomGenerator random;
  private final List<Spell> disturbances = new ArrayList<>();
  private final List<ContainerInstance> instances = new ArrayList<>();
  private Duration slowStart = Duration.ZERO;
  private String created = "";
  private int started;

  /** A container that has no instance yet. */
  ScriptedContainer(Simulation world, ScriptedPod pod, ContainerSpec spec, ContainerScript script) {
    this.world = world;
    this.pod = pod;
    this.spec = spec;
    this.script = script;
    // A pod that a restored etcd brings back has other instances than it had before.
    this.random =
        world.random("container/" + pod.ref().uid() + "/" + spec.name() + "/" + world.now());
  }

  /** {@return what its pod says of it} */
  public ContainerSpec spec() {
    return spec;
  }

  /** {@return how its instances live} */
  public ContainerScript script() {
    return script;
  }

  /** {@return its pod} */
  public ScriptedPod pod() {
    return pod;
  }

  /** {@return its newest instance; null before the first} */
  public @Nullable ContainerInstance newest() {
    return instances.isEmpty() ? null : instances.getLast();
  }

  /** {@return its instance that runs; null if none does} */
  @Nullable ContainerInstance running() {
    ContainerInstance newest = newest();
    return newest == null || !newest.running() ? null : newest;
  }

  /** {@return its latest instances, the newest last} */
  public List<ContainerInstance> instances() {
    return List.copyOf(instances);
  }

  /** {@return the one of its latest instances that has an id; null if it has none} */
  public @Nullable ContainerInstance instance(String id) {
    for (int each = instances.size() - 1; each >= 0; each--) {
      if (instances.get(each).id().equals(id)) {
        return instances.get(each);
      }
    }
    return null;
  }

  /** {@return the TCP ports on which it listens, in ascending order} */
  List<Integer> ports() {
    return spec.ports().values().stream().sorted().toList();
  }

  /** The next instance has an id and does not run yet. */
  void create() {
    // Hexadecimal as a runtime's, unique, and the same in each run.
    created = "%016x%08x".formatted(random.nextLong(), started);
  }

  boolean isCreated() {
    return !created.isEmpty();
  }

  /** The runtime has lost the instance that was created. */
  void discard() {
    created = "";
  }

  ContainerInstance start() {
    if (!isCreated()) {
      create();
    }
    String id = created;
    created = "";
    int attempt = started++;
    long now = world.now();
    if (!slowStart.isZero()) {
      disturb(new Spell(now, now + slowStart.toNanos(), Behavior.REFUSING));
    }
    ContainerInstance next =
        new ContainerInstance(
            this,
            id,
            attempt,
            pod.machine().wall(),
            now,
            script.of(now, attempt == 0, random),
            random);
    instances.add(next);
    if (instances.size() > REMEMBERED) {
      instances.removeFirst();
    }
    return next;
  }

  /** {@return what a runtime reports of it; null before it has created the first instance} */
  @Nullable ContainerObservation observed() {
    ContainerInstance newest = newest();
    if (isCreated()) {
      return ContainerObservation.waiting(created, started, "ContainerCreating");
    }
    return newest == null ? null : newest.observed();
  }

  /**
   * Lets each instance from the next on refuse connections for the first time of its life.
   *
   * @param time how long; zero for no longer
   */
  public void startSlowly(Duration time) {
    slowStart = time;
  }

  /** Disturbs it from outside, whatever its instances do; the latest disturbance counts. */
  public void disturb(Spell spell) {
    disturbances.add(spell);
  }

  /** Ends what disturbs it now. */
  public void calm() {
    long now = world.now();
    disturbances.replaceAll(
        spell -> spell.covers(now) ? new Spell(spell.from(), now, spell.behavior()) : spell);
  }

  List<Spell> disturbances() {
    return disturbances;
  }
}
