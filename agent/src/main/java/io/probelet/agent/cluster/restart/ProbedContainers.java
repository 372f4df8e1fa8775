package io.probelet.agent.cluster.restart;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The node's containers that run and are probed, and since when which of them are unhealthy. One
 * that is over, such as a finished Job's, does not count; one that has just been stopped because it
 * failed still does. Times are nanoseconds of the monotonic clock. Not safe for use by several
 * threads.
 */
final class ProbedContainers {
  private final Map<Name, Container> containers = new HashMap<>();

  /** A container, whatever instance of it. */
  private record Name(PodRef pod, String container) {}

  private static final class Container {
    private final Set<ProbeKind> probed = EnumSet.noneOf(ProbeKind.class);
    private final Map<ProbeKind, Long> unhealthySince = new EnumMap<>(ProbeKind.class);
    private boolean running = true; // for its probe has just ended

    boolean turned(Duration window, long since) {
      return unhealthySince.values().stream().anyMatch(from -> since - from <= window.toNanos());
    }
  }

  /** How many of some have turned unhealthy. */
  record Share(int turned, int all) {
    boolean exceeds(int percent) {
      return turned * 100L > (long) percent * all;
    }

    private Share plus(boolean oneMoreTurned) {
      return new Share(turned + (oneMoreTurned ? 1 : 0), all + 1);
    }
  }

  /** A probe of a container has ended. */
  void probed(ProbeSubject probe) {
    container(probe).probed.add(probe.kind());
  }

  /** A container's probe has failed as often as it takes. */
  void unhealthy(ProbeSubject probe, long now) {
    container(probe).unhealthySince.putIfAbsent(probe.kind(), now);
  }

  private Container container(ProbeSubject probe) {
    return containers.computeIfAbsent(
        new Name(probe.pod(), probe.container()), _ -> new Container());
  }

  /** A container's probe succeeds again. */
  void healthy(ProbeSubject probe) {
    Container container = containers.get(new Name(probe.pod(), probe.container()));
    if (container != null) {
      container.unhealthySince.remove(probe.kind());
    }
  }

  /** A container runs, or does not. */
  void running(PodRef pod, String name, boolean running) {
    Container container = containers.get(new Name(pod, name));
    if (container != null) {
      container.running = running;
    }
  }

  /** A container is probed no more for this: it is over, or its pod is gone. */
  void ended(ProbeSubject probe) {
    Name name = new Name(probe.pod(), probe.container());
    Container container = containers.get(name);
    if (container != null) {
      container.unhealthySince.remove(probe.kind());
      container.probed.remove(probe.kind());
      if (container.probed.isEmpty() && container.unhealthySince.isEmpty()) {
        containers.remove(name);
      }
    }
  }

  /** A pod is probed no more. */
  void gone(PodRef pod) {
    containers.keySet().removeIf(name -> name.pod().equals(pod));
  }

  /** {@return whether any container of a namespace is probed} */
  boolean knows(String namespace) {
    return containers.keySet().stream().anyMatch(name -> name.pod().namespace().equals(namespace));
  }

  /** {@return how many containers of a namespace turned unhealthy within a time before a moment} */
  Share share(String namespace, Duration window, long since) {
    return byNamespace(window, since).getOrDefault(namespace, new Share(0, 0));
  }

  /** {@return the same of each namespace that has containers, in the order of their names} */
  List<Share> shares(Duration window, long since) {
    return List.copyOf(byNamespace(window, since).values());
  }

  private Map<String, Share> byNamespace(Duration window, long since) {
    Map<String, Share> shares = new TreeMap<>();
    containers.forEach((name, container) -> {
      boolean turned = container.turned(window, since);
      if (container.running || turned) {
        shares.merge(
            name.pod().namespace(), new Share(0, 0).plus(turned), (share, _) -> share.plus(turned));
      }
    });
    return shares;
  }
}
