package io.probelet.runtime.process;

import static org.awaitility.Awaitility.await;

import io.probelet.health.RetryBackoff;
import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.net.ProbeLoops;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A runtime with short back-offs in a directory of its own, watched from the start. */
final class RuntimeFixture implements AutoCloseable {
  static final BackOff SHORT =
      new BackOff(
          RetryBackoff.doubling(Duration.ofMillis(200), Duration.ofSeconds(1)),
          Duration.ofMinutes(1));

  final Path dir;
  final RecordedPods seen = new RecordedPods();
  final ProcessRuntime runtime;
  private final ProcessSettings settings;
  private boolean closed;
  private final ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE);

  RuntimeFixture(Path dir) throws Exception {
    this(dir, LogRotation.KUBELET);
  }

  RuntimeFixture(Path dir, LogRotation rotation) throws Exception {
    this.dir = dir;
    settings =
        new ProcessSettings(
            dir.resolve("logs"),
            rotation,
            SHORT,
            Map.of("PATH", System.getenv("PATH"), "SECRET", "hidden"));
    runtime =
        ProcessRuntime.open(
            settings,
            SystemClock.INSTANCE,
            HookRunner.on(loops.all().getFirst(), "kube-lifecycle/1.36", HookLimits.NONE));
    runtime.watch(seen);
  }

  /** Adds the pod and names it. */
  PodRef run(LocalPodBuilders.PodBuilder pod) {
    LocalPod built = pod.build();
    runtime.add(built);
    return built.ref();
  }

  Path logFile(PodRef pod, String container) {
    return settings.logFile(pod, container);
  }

  String log(PodRef pod, String container) {
    try {
      Path file = logFile(pod, container);
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  /** Waits for a file in the directory and reads it. */
  String awaitFile(String name) {
    Path file = dir.resolve(name);
    return await()
        .until(() -> Files.exists(file) ? Files.readString(file) : "", it -> !it.isEmpty());
  }

  @Override
  public void close() {
    runtime.close();
    if (!closed) {
      closed = true;
      loops.close();
    }
  }
}
