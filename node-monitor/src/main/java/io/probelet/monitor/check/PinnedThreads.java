package io.probelet.monitor.check;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Short threads, each bound to one CPU. A thread that its CPU does not run cannot be ended.
 * Therefore no second one is started for that CPU, however often the configuration is reloaded.
 */
final class PinnedThreads implements Kernel.Cpus {
  /** A thread that sets its affinity and returns needs no more. */
  private static final long STACK_BYTES = 128 << 10;

  /** The caller that the waiting thread of a CPU answers. */
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
    } catch (
        OutOfMemoryError
            noThread) { // also thrown if no thread can be created; a later run may get one
      waiting.remove(number);
      throw new IOException(
          "cannot start a thread for CPU " + number + ": " + noThread.getMessage(), noThread);
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
      return; // a caller exists until this thread removes it
    }
    if (refusal == null) {
      asker.ran().run();
    } else {
      asker.refused().accept(refusal);
    }
  }
}
