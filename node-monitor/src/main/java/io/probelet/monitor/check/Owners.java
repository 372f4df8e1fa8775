package io.probelet.monitor.check;

import io.probelet.monitor.track.PodCgroup;
import io.probelet.monitor.track.PodTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the usage of a resource per owner, and names the largest owner (B-22). The result is for
 * people only: unreadable entries are skipped and fail no check.
 */
final class Owners {
  /**
   * The most owners counted by name; a sender can forge addresses. Usage of further owners counts
   * in the total only.
   */
  static final int MAX_OWNERS = 10_000;

  private final Machine machine;
  private final Map<Owner, Long> held = new HashMap<>();
  private long total;
  private boolean partial;

  Owners(Machine machine) {
    this.machine = machine;
  }

  /** The pod of a process by its cgroup, or else its user. */
  Owner of(Path process) {
    Optional<Owner> pod = pod(process);
    if (pod.isPresent()) {
      return pod.get();
    }
    try {
      return new Owner.User(effectiveUser(process));
    } catch (IOException ended) {
      return Owner.UNKNOWN;
    }
  }

  /** The pod of a process; empty if it has none, or has ended. */
  static Optional<Owner> pod(Path process) {
    return trace(process).map(trace -> new Owner.Pod(trace.podUid()));
  }

  /** The container of a process; empty if it has none, or has ended. */
  static Optional<PodTrace> trace(Path process) {
    try {
      String path = String.join(" ", KernelFile.words(process.resolve("cgroup")));
      // In a container, cgroup paths start at the container's own cgroup: paths of others lack
      // "kubepods".
      return PodCgroup.of(path.contains(":/../") ? "/kubepods " + path : path).map(PodCgroup::pod);
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  /** The user that the kernel charges for the files of a process. */
  static long effectiveUser(Path process) throws IOException {
    String[] words = KernelFile.words(process.resolve("status"));
    for (int at = 0; at + 2 < words.length; at++) {
      if (words[at].equals("Uid:")) {
        try {
          return Long.parseLong(words[at + 2]);
        } catch (NumberFormatException strange) {
          throw new IOException(process + "/status has an unexpected format", strange);
        }
      }
    }
    throw new IOException(process + "/status names no user");
  }

  /** Adds usage of an owner. */
  void add(Owner owner, long much) {
    total += much;
    if (held.containsKey(owner) || held.size() < MAX_OWNERS) {
      held.merge(owner, much, Long::sum);
    }
  }

  /** Computes shares of a whole that also contains usage without an owner. */
  void ofWhole(long whole) {
    total = Math.max(total, whole);
  }

  /** The usage of all owners. */
  long total() {
    return total;
  }

  /** Marks the count as partial. */
  void partial() {
    partial = true;
  }

  /**
   * Names the largest owner, as a clause to append to a message.
   *
   * @param what the resource, such as {@code them}
   * @return a clause; empty if no owner is known
   */
  String largest(String what) {
    return held.entrySet().stream()
        .filter(each -> !(each.getKey() instanceof Owner.Unknown) && each.getValue() > 0)
        .max(
            Map.Entry.<Owner, Long>comparingByValue()
                .thenComparing(each -> each.getKey().toString()))
        .map(each ->
            "; %s accounts for %s of %s%s"
                .formatted(
                    name(each.getKey()),
                    share(each.getValue()),
                    what,
                    partial ? " (partial count)" : ""))
        .orElse("");
  }

  /** Rounded to tens, so that the message does not change at each run. */
  private String share(long much) {
    long tens = Math.round(10.0 * much / total);
    return tens == 0 ? "less than 10 %" : "about " + 10 * tens + " %";
  }

  private String name(Owner owner) {
    return switch (owner) {
      case Owner.Pod(String uid) -> PodNames.read(machine).of(uid);
      case Owner.User(long id) -> "user " + id + " (no pod)";
      case Owner.Address(String text) -> "address " + text;
      case Owner.Unknown() -> "an unknown owner";
    };
  }
}
