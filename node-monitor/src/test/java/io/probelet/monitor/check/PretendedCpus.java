package io.probelet.monitor.check;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** CPUs that run a thread at once, never, or refuse it. */
final class PretendedCpus implements Kernel.Cpus {
  final Set<Integer> locked = new HashSet<>();
  final Set<Integer> refusing = new HashSet<>();
  final Set<Integer> waiting = new HashSet<>();
  int started;
  Runnable whenAsked = () -> {};

  private final int count;

  PretendedCpus(int count) {
    this.count = count;
  }

  @Override
  public Set<Integer> usable() {
    return IntStream.range(0, count).boxed().collect(Collectors.toSet());
  }

  @Override
  public boolean ask(int number, Runnable ran, Consumer<IOException> refused) {
    whenAsked.run();
    if (waiting.contains(number)) {
      return false;
    }
    started++;
    if (refusing.contains(number)) {
      refused.accept(new IOException("sched_setaffinity of CPU " + number + " failed"));
    } else if (locked.contains(number)) {
      waiting.add(number);
    } else {
      ran.run();
    }
    return true;
  }
}
