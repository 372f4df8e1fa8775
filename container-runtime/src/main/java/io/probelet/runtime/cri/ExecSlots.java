package io.probelet.runtime.cri;

import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Limits how many commands run in containers at once, because too many of them overload a node, and
 * shares these slots fairly (W-22). Thread-safe.
 *
 * <p>A namespace has at most three quarters of the slots and a pod a quarter. A free slot goes to
 * the namespace with the fewest slots, and there to the pod with the fewest; equals take turns. A
 * command that has held its slot longer than the holding time loses it to a waiting command if its
 * namespace, or its pod within the namespace, has more slots than the other. It counts for its pod
 * until it is released, because a runtime may not end a canceled command.
 */
final class ExecSlots {
  private final int limit;
  private final int namespaceShare;
  private final int podShare;
  private final TimeSource time;

  /** Ordered by turn. */
  private final SequencedMap<String, Namespace> namespaces = new LinkedHashMap<>();

  /** Commands with a slot, oldest first. */
  private final SequencedSet<Slot> running = new LinkedHashSet<>();

  private int waiting;
  private long taken;
  private long waitedNanos;
  private long displaced;

  private static final class Namespace {
    private final SequencedMap<PodRef, Pod> pods = new LinkedHashMap<>();
    private int running;
  }

  private static final class Pod {
    private final Deque<Slot> waiting = new ArrayDeque<>();
    private int counted;
  }

  private enum State {
    WAITING,
    RUNNING,
    DISPLACED,
    OVER
  }

  /** The place of a command, from the start of its wait until it is released. */
  final class Slot {
    private final PodRef pod;
    private final long since = time.nanoTime();
    private final CompletableFuture<Void> granted = new CompletableFuture<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private State state = State.WAITING;
    private boolean overdue;

    private Slot(PodRef pod) {
      this.pod = pod;
    }

    /**
     * {@return completes when another command has taken the slot, on the thread that assigned it}
     */
    CompletableFuture<Void> lost() {
      return lost;
    }

    /** Marks the command as over its holding time. */
    void overdue() {
      change(() -> overdue = true);
    }

    /** Ends the wait or releases the slot; a second call has no effect. */
    void giveBack() {
      change(() -> end(this));
    }
  }

  /**
   * Creates free slots.
   *
   * @param limit number of slots, at least 1
   */
  ExecSlots(int limit, TimeSource time) {
    this.limit = limit;
    this.time = time;
    podShare = Math.max(1, limit / 4);
    namespaceShare = limit == 1 ? 1 : limit - podShare;
  }

  /**
   * Waits for a slot.
   *
   * @return the slot, to be released
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  Slot take(PodRef pod) throws InterruptedException {
    Slot slot = ask(pod);
    try {
      slot.granted.get();
      return slot;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    } catch (InterruptedException givenUp) {
      slot.giveBack();
      throw givenUp;
    }
  }

  /** Returns immediately, with a place that may still wait for a slot. */
  Slot ask(PodRef pod) {
    Slot slot = new Slot(pod);
    change(() -> {
      waiting++;
      namespaces
          .computeIfAbsent(pod.namespace(), _ -> new Namespace())
          .pods
          .computeIfAbsent(pod, _ -> new Pod())
          .waiting
          .add(slot);
    });
    return slot;
  }

  /** {@return whether the command has its slot, or had it until another took it} */
  static boolean hasBegun(Slot slot) {
    return slot.granted.isDone();
  }

  /** Notifies losers without the lock, because they may need slots themselves. */
  private void change(Runnable change) {
    List<Slot> losers = new ArrayList<>();
    synchronized (this) {
      change.run();
      for (Optional<Slot> next = next(losers); next.isPresent(); next = next(losers)) {
        grant(next.get());
      }
    }
    losers.forEach(loser -> loser.lost.complete(null));
  }

  private Namespace namespace(Slot slot) {
    return namespaces.computeIfAbsent(slot.pod.namespace(), _ -> new Namespace());
  }

  private Pod pod(Slot slot) {
    return namespace(slot).pods.computeIfAbsent(slot.pod, _ -> new Pod());
  }

  private void end(Slot slot) {
    Namespace namespace = namespace(slot);
    Pod pod = pod(slot);
    switch (slot.state) {
      case WAITING -> {
        waiting--;
        pod.waiting.remove(slot);
      }
      case RUNNING -> {
        running.remove(slot);
        namespace.running--;
        pod.counted--;
      }
      case DISPLACED -> pod.counted--;
      case OVER -> {}
    }
    slot.state = State.OVER;
    if (pod.counted == 0 && pod.waiting.isEmpty()) {
      namespace.pods.remove(slot.pod);
    }
    if (namespace.pods.isEmpty()) {
      namespaces.remove(slot.pod.namespace());
    }
  }

  private void grant(Slot slot) {
    Namespace namespace = namespace(slot);
    Pod pod = pod(slot);
    pod.waiting.remove(slot);
    pod.counted++;
    namespace.running++;
    running.add(slot);
    namespaces.putLast(slot.pod.namespace(), namespace);
    namespace.pods.putLast(slot.pod, pod);
    slot.state = State.RUNNING;
    waiting--;
    taken++;
    waitedNanos += time.nanoTime() - slot.since;
    slot.granted.complete(null);
  }

  /**
   * {@return the command that gets a slot now; a command that loses one for it is added to the
   * losers}
   */
  private Optional<Slot> next(List<Slot> losers) {
    if (waiting == 0) {
      return Optional.empty();
    }
    for (Slot slot : inTurn()) {
      if (running.size() < limit && namespace(slot).running < namespaceShare) {
        return Optional.of(slot);
      }
      Optional<Slot> loser = loserTo(slot);
      if (loser.isPresent()) {
        displace(loser.get());
        losers.add(loser.get());
        return Optional.of(slot);
      }
    }
    return Optional.empty();
  }

  /** {@return the first waiting command of each pod that may have one more slot, by turn} */
  private List<Slot> inTurn() {
    return namespaces.values().stream()
        .sorted(Comparator.comparingInt(namespace -> namespace.running))
        .flatMap(namespace ->
            namespace.pods.values().stream()
                .filter(pod -> pod.counted < podShare && !pod.waiting.isEmpty())
                .sorted(Comparator.comparingInt(pod -> pod.counted)))
        .map(pod -> pod.waiting.getFirst())
        .toList();
  }

  private Optional<Slot> loserTo(Slot slot) {
    return running.stream()
        .filter(other -> other.overdue && hasMore(other, slot))
        .max(
            Comparator.<Slot>comparingInt(other -> namespace(other).running)
                .thenComparingInt(other -> pod(other).counted)
                .thenComparing(other -> other.since, Comparator.reverseOrder()));
  }

  private boolean hasMore(Slot other, Slot slot) {
    return other.pod.namespace().equals(slot.pod.namespace())
        ? pod(other).counted > pod(slot).counted
        : namespace(other).running > namespace(slot).running
            && namespace(slot).running < namespaceShare;
  }

  private void displace(Slot slot) {
    slot.state = State.DISPLACED;
    running.remove(slot);
    namespace(slot).running--;
    displaced++;
  }

  synchronized CriStats.Execs stats() {
    return new CriStats.Execs(
        limit, running.size(), waiting, taken, Duration.ofNanos(waitedNanos), displaced);
  }
}
