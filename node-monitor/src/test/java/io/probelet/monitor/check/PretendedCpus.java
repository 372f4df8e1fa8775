package io.probelet.monitor.check;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** CPUs that run a thread immediately, never, or refuse it. */
final class PretendedCpus implements Kernel.Cpus {
  final Set<Integer> locked = new HashSet<>();
  final Set<Integer> refusing = new HashSet<>();
  final Map<Integer, Runnable> waiting = new HashMap<>();
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
  public void ask(int number, Runnable ran, Consumer<IOException> refused) {
    whenAsked.run();
    if (waiting.put(number, ran) != null) {
      return;
    }
    started++;
    if (refusing.contains(number)) {
      waiting.remove(number);
      refused.accept(new IOException("sched_setaffinity of CPU " + number + " failed"));
    } else if (!locked.contains(number)) {
      run(number);
    }
  }

  /** The CPU runs the thread that waits for it. */
  void run(int number) {
    Runnable latest = waiting.remove(number);
    if (latest != null) {
      latest.run();
    }
  }
}
