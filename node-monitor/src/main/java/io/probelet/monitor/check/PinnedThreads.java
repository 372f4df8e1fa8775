package io.probelet.monitor.check;

import java.io.IOException;
import java.util.Map;
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

  /** Who is answered by the thread of a CPU that has not run yet. */
  private final Map<Integer, Asker> waiting = new ConcurrentHashMap<>();

  private record Asker(Runnable ran, Consumer<IOException> refused) {}

  @Override
  public Set<Integer> usable() throws IOException {
    return LibC.affinity().stream().boxed().collect(Collectors.toSet());
  }

  @Override
  public void ask(int number, Runnable ran, Consumer<IOException> refused) throws IOException {
    if (waiting.put(number, new Asker(ran, refused)) != null) {
      return; // the earlier thread answers this one now
    }
    try {
      Thread.ofPlatform()
          .daemon()
          .name("cpu-" + number)
          .stackSize(STACK_BYTES)
          .start(() -> run(number));
    } catch (OutOfMemoryError noThread) { // it says so of threads too; the next may get one
      waiting.remove(number);
      throw new IOException("no thread for CPU " + number + ": " + noThread.getMessage(), noThread);
    }
  }

  private void run(int number) {
    IOException refusal = null;
    try {
      LibC.pin(number);
    } catch (IOException notThere) {
      refusal = notThere;
    }
    Asker asker = waiting.remove(number);
    if (asker == null) {
      return; // nobody asks: there is one until this thread takes it out
    }
    if (refusal == null) {
      asker.ran().run();
    } else {
      asker.refused().accept(refusal);
    }
  }
}
