package io.probelet.agent.cluster.pods;

import io.probelet.health.RecentMap;
import io.probelet.health.Threads;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.StartupMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Remembers on the node which containers have passed their startup probe, by container ID. After an
 * agent restart those count as started, and all others as starting (W-8). Thread-safe; writes on
 * its own thread.
 */
public final class StartedContainers implements StartupMemory, ProbeListener, AutoCloseable {
  private static final String FILE = "started-containers.json";

  /** More than run on one node; the oldest are forgotten, and start anew after a restart. */
  static final int MAX_CONTAINERS = 4096;

  private static final Duration END = Duration.ofSeconds(2);

  private final StartedFile file;
  private final RecentMap<Key, String> kept = new RecentMap<>(MAX_CONTAINERS);
  private final Map<Key, String> before;

  /** One write under way, and one that waits and will write whatever is new by then. */
  private final ThreadPoolExecutor writer;

  private final Threads threads;

  /** A container of a pod, whatever instance of it. */
  record Key(PodRef pod, String container) {}

  /** Begins with what an earlier life of the agent has kept. */
  public StartedContainers(Path stateFolder, Threads threads) {
    this.threads = threads;
    writer =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            threads.ofPlatform().name("started-containers").factory(),
            new ThreadPoolExecutor.DiscardPolicy());
    file = new StartedFile(stateFolder.resolve(FILE));
    before = file.read(MAX_CONTAINERS);
    before.forEach(kept::put);
  }

  @Override
  public synchronized boolean started(PodRef pod, String container, String containerId) {
    return containerId.equals(before.get(new Key(pod, container)));
  }

  @Override
  public void probed(Probed probe) {
    if (probe.subject().kind() == ProbeKind.STARTUP
        && probe.outcome().verdict().healthy()
        && probe.consecutive() >= probe.threshold()) {
      keep(new Key(probe.subject().pod(), probe.subject().container()), probe.containerId());
    }
  }

  private synchronized void keep(Key container, String id) {
    if (!id.equals(kept.put(container, id))) {
      changed();
    }
  }

  /** Forgets a pod: it is gone, or its annotation was edited and its probes begin anew. */
  @Override
  public synchronized void podRemoved(PodRef pod) {
    before.keySet().removeIf(key -> key.pod().equals(pod));
    if (kept.removeIf(key -> key.pod().equals(pod))) {
      changed();
    }
  }

  /**
   * Forgets pods that went away while there was no agent.
   *
   * @param there all pods of the node
   */
  public synchronized void retain(Set<PodRef> there) {
    before.keySet().removeIf(key -> !there.contains(key.pod()));
    if (kept.removeIf(key -> !there.contains(key.pod()))) {
      changed();
    }
  }

  private void changed() {
    if (!writer.isShutdown()) {
      writer.execute(this::write);
    }
  }

  private void write() {
    Map<Key, String> now;
    synchronized (this) {
      now = kept.copy();
    }
    file.write(now);
  }

  /**
   * Finishes what is being written. To be closed before the probe engine: a pod that it forgets at
   * the agent's end is not gone.
   */
  @Override
  public void close() {
    var _ = Threads.finish(threads, writer, END);
  }
}
