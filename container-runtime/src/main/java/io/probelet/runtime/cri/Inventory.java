package io.probelet.runtime.cri;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.runtime.Termination;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ContainerStatus;
import io.probelet.runtime.cri.v1.NamespaceMode;
import io.probelet.runtime.cri.v1.PodIP;
import io.probelet.runtime.cri.v1.PodSandbox;
import io.probelet.runtime.cri.v1.PodSandboxState;
import io.probelet.runtime.cri.v1.PodSandboxStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns the lists of a runtime into reports for listeners. It remembers them, so that details are
 * requested only of new and changed items.
 *
 * <p>A poll calls {@link #begin}, then {@link Listing#sandboxesToAsk()} and {@link
 * Listing#containersToAsk()}, then {@link #finish}. Not thread-safe.
 */
final class Inventory {
  private final String nodeIp;
  private Map<String, List<String>> ipsBySandbox = new HashMap<>();
  private Map<String, ContainerStatus> statusById = new HashMap<>();
  private Map<PodRef, PodObservation> reported = new LinkedHashMap<>();

  /** The objects of the last listing; null while details are missing. */
  private @Nullable Set<Object> settled;

  /** Creates an empty inventory. */
  Inventory(String nodeIp) {
    this.nodeIp = nodeIp;
  }

  /** The differences from the previous listing. */
  record Changes(List<PodObservation> changed, List<PodRef> gone) {
    static final Changes NONE = new Changes(List.of(), List.of());
  }

  /** A listed pod: its newest sandbox and the newest instance of each of its containers. */
  private record ListedPod(PodRef ref, PodSandbox sandbox, Map<String, Container> containers) {}

  /** The items that the runtime listed at one time. */
  final class Listing {
    private final Map<PodRef, ListedPod> pods;
    private final Set<Object> items;
    private final boolean same;

    private Listing(Map<PodRef, ListedPod> pods, Set<Object> items, boolean same) {
      this.pods = pods;
      this.items = items;
      this.same = same;
    }

    /** Sandboxes whose address is not known yet. */
    List<String> sandboxesToAsk() {
      return pods.values().stream()
          .map(ListedPod::sandbox)
          .filter(each -> each.getState() == PodSandboxState.SANDBOX_READY)
          .map(PodSandbox::getId)
          .filter(id -> ipsBySandbox.getOrDefault(id, List.of()).isEmpty())
          .toList();
    }

    /** Containers that are new, or have started or ended since. */
    List<String> containersToAsk() {
      return pods.values().stream()
          .flatMap(pod -> pod.containers().values().stream())
          .filter(Inventory.this::changed)
          .map(Container::getId)
          .toList();
    }
  }

  private boolean changed(Container listed) {
    ContainerState state = listed.getState();
    ContainerStatus known = statusById.get(listed.getId());
    boolean hasDetails =
        state == ContainerState.CONTAINER_RUNNING || state == ContainerState.CONTAINER_EXITED;
    return hasDetails && (known == null || known.getState() != state);
  }

  /**
   * Begins with both lists. This is cheap if they contain the same objects as the previous lists,
   * in any order; a {@link ListReader} ensures that.
   */
  Listing begin(List<PodSandbox> sandboxes, List<Container> containers) {
    int count = sandboxes.size() + containers.size();
    Set<Object> items = Collections.newSetFromMap(new IdentityHashMap<>(count));
    items.addAll(sandboxes);
    items.addAll(containers);
    if (items.equals(settled)) {
      return new Listing(Map.of(), items, true);
    }
    Map<PodRef, ListedPod> pods = new LinkedHashMap<>();
    Map<String, PodRef> podBySandbox = new HashMap<>();
    for (PodSandbox sandbox : sandboxes) {
      PodRef ref = podOf(sandbox);
      if (ref == null) {
        continue;
      }
      podBySandbox.put(sandbox.getId(), ref);
      ListedPod other = pods.get(ref);
      if (other == null || other.sandbox().getCreatedAt() < sandbox.getCreatedAt()) {
        pods.put(ref, new ListedPod(ref, sandbox, new LinkedHashMap<>()));
      }
    }
    dropReplaced(pods);
    for (Container container : containers) {
      ListedPod pod = pods.get(podBySandbox.get(container.getPodSandboxId()));
      if (pod != null) {
        pod.containers().merge(nameOf(container), container, Inventory::newer);
      }
    }
    return new Listing(pods, items, false);
  }

  /** Leftovers of a pod are ignored after another pod has taken its name. */
  private static void dropReplaced(Map<PodRef, ListedPod> pods) {
    Map<String, Long> newest = new HashMap<>();
    pods.values()
        .forEach(
            each -> newest.merge(each.ref().toString(), each.sandbox().getCreatedAt(), Math::max));
    pods.values()
        .removeIf(each ->
            each.sandbox().getState() == PodSandboxState.SANDBOX_NOTREADY
                && each.sandbox().getCreatedAt() < newest.getOrDefault(each.ref().toString(), 0L));
  }

  private static @Nullable PodRef podOf(PodSandbox sandbox) {
    String namespace = sandbox.getMetadata().getNamespace();
    String name = sandbox.getMetadata().getName();
    String uid = sandbox.getMetadata().getUid();
    boolean named = !namespace.isEmpty() && !name.isEmpty() && !uid.isEmpty();
    return named ? new PodRef(namespace, name, uid) : null;
  }

  private static String nameOf(Container container) {
    return container.getLabelsOrDefault(Compact.CONTAINER_NAME, container.getMetadata().getName());
  }

  private static Container newer(Container one, Container other) {
    Comparator<Container> age =
        Comparator.comparingLong(Container::getCreatedAt)
            .thenComparingInt(each -> each.getMetadata().getAttempt());
    return age.compare(one, other) >= 0 ? one : other;
  }

  /**
   * Ends with the responses. An item without a response keeps its state and is requested again next
   * time.
   */
  Changes finish(
      Listing listing, List<PodSandboxStatus> sandboxes, List<ContainerStatus> containers) {
    if (listing.same) {
      return Changes.NONE;
    }
    sandboxes.forEach(each -> ipsBySandbox.put(each.getId(), ipsOf(each)));
    containers.forEach(each -> statusById.put(each.getId(), Compact.of(each)));

    Map<PodRef, PodObservation> now = new LinkedHashMap<>();
    for (ListedPod pod : listing.pods.values()) {
      now.put(pod.ref(), observation(pod));
    }
    List<PodObservation> changed =
        now.values().stream().filter(each -> !each.equals(reported.get(each.pod()))).toList();
    List<PodRef> gone = reported.keySet().stream().filter(each -> !now.containsKey(each)).toList();
    reported = now;
    forgetAllBut(listing);
    boolean allKnown = listing.sandboxesToAsk().isEmpty() && listing.containersToAsk().isEmpty();
    settled = allKnown ? listing.items : null;
    return new Changes(changed, gone);
  }

  private void forgetAllBut(Listing listing) {
    Set<String> sandboxes = new HashSet<>();
    Set<String> containers = new HashSet<>();
    for (ListedPod pod : listing.pods.values()) {
      sandboxes.add(pod.sandbox().getId());
      pod.containers().values().forEach(each -> containers.add(each.getId()));
    }
    ipsBySandbox.keySet().retainAll(sandboxes);
    statusById.keySet().retainAll(containers);
  }

  private List<String> ipsOf(PodSandboxStatus sandbox) {
    NamespaceMode network = sandbox.getLinux().getNamespaces().getOptions().getNetwork();
    String primary = sandbox.getNetwork().getIp();
    if (primary.isEmpty()) {
      return network == NamespaceMode.NODE ? List.of(nodeIp) : List.of();
    }
    List<String> ips = new ArrayList<>();
    ips.add(primary);
    sandbox.getNetwork().getAdditionalIpsList().stream().map(PodIP::getIp).forEach(ips::add);
    return ips;
  }

  private PodObservation observation(ListedPod pod) {
    PodObservation before = reported.get(pod.ref());
    Map<String, ContainerObservation> containers = new HashMap<>();
    pod.containers()
        .forEach((name, listed) -> {
          ContainerObservation known = before == null ? null : before.containers().get(name);
          containers.put(name, observation(listed, known));
        });
    boolean begun =
        containers.values().stream()
            .anyMatch(each -> each.state() != ContainerObservation.State.WAITING);
    return new PodObservation(
        pod.ref(),
        begun ? Phase.RUNNING : Phase.PENDING,
        false,
        false,
        ipsBySandbox.getOrDefault(pod.sandbox().getId(), List.of()),
        containers);
  }

  private ContainerObservation observation(Container listed, @Nullable ContainerObservation known) {
    String id = listed.getId();
    int attempt = listed.getMetadata().getAttempt();
    ContainerStatus status = statusById.get(id);
    if (listed.getState() == ContainerState.CONTAINER_CREATED) {
      return ContainerObservation.waiting(id, attempt, "ContainerCreating").with(ofPrevious(known));
    }
    if (status == null || listed.getState() == ContainerState.CONTAINER_UNKNOWN) {
      return known != null && known.id().equals(id)
          ? known
          : ContainerObservation.waiting(id, attempt, "ContainerStatusUnknown")
              .with(ContainerDetails.ended(before(known)));
    }
    Instant startedAt = status.getStartedAt() == 0 ? null : instant(status.getStartedAt());
    ContainerObservation now =
        status.getState() == ContainerState.CONTAINER_RUNNING
            ? ContainerObservation.running(
                id, startedAt == null ? instant(listed.getCreatedAt()) : startedAt, attempt)
            : new ContainerObservation(
                id,
                ContainerObservation.State.TERMINATED,
                startedAt,
                status.getExitCode(),
                attempt,
                status.getReason(),
                false,
                false);
    return now.with(
        ContainerDetails.ended(now.running() ? before(known) : termination(status))
            .loggingTo(status.getLogPath()));
  }

  /** How the previous instance ended, and where its output is: this one has none yet. */
  private static ContainerDetails ofPrevious(@Nullable ContainerObservation known) {
    return known == null
        ? ContainerDetails.NONE
        : ContainerDetails.ended(before(known)).loggingTo(known.details().logPath());
  }

  /** How the previous instance ended, if that was observed. */
  private static @Nullable Termination before(@Nullable ContainerObservation known) {
    return known == null ? null : known.details().lastTermination();
  }

  private static Termination termination(ContainerStatus status) {
    return new Termination(
        status.getExitCode(),
        0,
        status.getReason(),
        status.getMessage(),
        status.getFinishedAt() == 0 ? null : instant(status.getFinishedAt()));
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }
}
