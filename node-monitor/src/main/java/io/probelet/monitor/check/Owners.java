package io.probelet.monitor.check;

import io.probelet.monitor.track.PodCgroup;
import io.probelet.monitor.track.PodTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts who holds how much of something, and names who holds most (B-22). All of it is for people:
 * what cannot be read is left out, and makes no check fail.
 */
final class Owners {
  /**
   * So many are counted by name; what others hold counts as nobody's. A sender can forge addresses.
   */
  static final int MAX_OWNERS = 10_000;

  private final Machine machine;
  private final Map<Owner, Long> held = new HashMap<>();
  private long total;
  private boolean partial;

  Owners(Machine machine) {
    this.machine = machine;
  }

  /** The pod that a process belongs to by its cgroup, or else its user. */
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

  /** The pod that a process belongs to; empty if it is none's, or has ended. */
  static Optional<Owner> pod(Path process) {
    return trace(process).map(trace -> new Owner.Pod(trace.podUid()));
  }

  /** The container that a process belongs to; empty if it is none's, or has ended. */
  static Optional<PodTrace> trace(Path process) {
    try {
      String path = String.join(" ", KernelFile.words(process.resolve("cgroup")));
      // A container's own view begins at its own cgroup: what lies beside it has no "kubepods".
      return PodCgroup.of(path.contains(":/../") ? "/kubepods " + path : path).map(PodCgroup::pod);
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  /** The user to whose account the kernel puts what a process opens. */
  static long effectiveUser(Path process) throws IOException {
    String[] words = KernelFile.words(process.resolve("status"));
    for (int at = 0; at + 2 < words.length; at++) {
      if (words[at].equals("Uid:")) {
        try {
          return Long.parseLong(words[at + 2]);
        } catch (NumberFormatException strange) {
          throw new IOException(process + "/status is not as it was expected", strange);
        }
      }
    }
    throw new IOException(process + " says not whose it is");
  }

  /** Counts what an owner holds. */
  void add(Owner owner, long much) {
    total += much;
    if (held.containsKey(owner) || held.size() < MAX_OWNERS) {
      held.merge(owner, much, Long::sum);
    }
  }

  /** Shares are those of a whole of which nobody may hold some. */
  void ofWhole(long whole) {
    total = Math.max(total, whole);
  }

  /** What all hold together. */
  long total() {
    return total;
  }

  /** Not all could be counted. */
  void partial() {
    partial = true;
  }

  /**
   * Names who holds most, to go on with after what is wrong.
   *
   * @param what is held, such as {@code them}
   * @return a clause; empty if nobody is known to hold anything
   */
  String largest(String what) {
    return held.entrySet().stream()
        .filter(each -> !(each.getKey() instanceof Owner.Unknown) && each.getValue() > 0)
        .max(
            Map.Entry.<Owner, Long>comparingByValue()
                .thenComparing(each -> each.getKey().toString()))
        .map(each ->
            "; %s holds %s of %s%s"
                .formatted(
                    name(each.getKey()),
                    share(each.getValue()),
                    what,
                    partial ? ", as far as was counted" : ""))
        .orElse("");
  }

  /** By tens: a message that says another figure at each run would be news at each run. */
  private String share(long much) {
    long tens = Math.round(10.0 * much / total);
    return tens == 0 ? "less than 10 %" : "about " + 10 * tens + " %";
  }

  private String name(Owner owner) {
    return switch (owner) {
      case Owner.Pod(String uid) -> PodNames.read(machine).of(uid);
      case Owner.User(long id) -> "user " + id + ", outside of pods,";
      case Owner.Address(String text) -> "address " + text;
      case Owner.Unknown() -> "somebody unknown";
    };
  }
}
