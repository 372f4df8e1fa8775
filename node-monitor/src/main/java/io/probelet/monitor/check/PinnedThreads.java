package io.probelet.monitor.check;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Short threads, each bound to one CPU. One that a CPU does not run stays until that CPU does: it
 * cannot be ended, so that no second one follows it, however often a configuration is read again.
 */
final class PinnedThreads implements Kernel.Cpus {
  /** A thread that sets its affinity and returns needs no more. */
  private static final long STACK_BYTES = 128 << 10;

  private final Set<Integer> underWay = ConcurrentHashMap.newKeySet();

  @Override
  public Set<Integer> usable() throws IOException {
    return LibC.affinity().stream().boxed().collect(Collectors.toSet());
  }

  @Override
  public boolean ask(int number, Runnable ran, Consumer<IOException> refused) throws IOException {
    if (!underWay.add(number)) {
      return false;
    }
    try {
      Thread.ofPlatform()
          .daemon()
          .name("cpu-" + number)
          .stackSize(STACK_BYTES)
          .start(() -> run(number, ran, refused));
      return true;
    } catch (OutOfMemoryError noThread) { // it says so of threads too; the next may get one
      underWay.remove(number);
      throw new IOException("no thread for CPU " + number + ": " + noThread.getMessage(), noThread);
    }
  }

  private void run(int number, Runnable ran, Consumer<IOException> refused) {
    try {
      LibC.pin(number);
      ran.run();
    } catch (IOException notThere) {
      refused.accept(notThere);
    } finally {
      underWay.remove(number);
    }
  }
}
