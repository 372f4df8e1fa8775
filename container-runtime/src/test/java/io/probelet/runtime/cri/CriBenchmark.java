package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ExecResult.Exited;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What exec probes and looking at the runtime cost on our side, against a real containerd. Run by
 * {@code benchmarks/cri}; CPU time is that of this whole process, garbage collection and compiler
 * included, and none of the runtime's.
 */
@ExtendWith(NeedsContainerd.class)
class CriBenchmark {
  /** Until the compiler has seen to what runs often. */
  private static final long WARM_EXECS = 1500;

  /** Where runc starts fewer processes a second than elsewhere, there are fewer to warm up with. */
  private static final Duration WARM_UP = Duration.ofSeconds(40);

  private static final long WARM_RELISTS = 600;
  private static final Duration MEASURED = Duration.ofSeconds(20);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int AT_ONCE = 16;

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  @Test
  void execs() throws Exception {
    CriOptions options =
        new CriOptions(
            "127.0.0.1", Duration.ofSeconds(1), LONG, LONG, LONG, AT_ONCE, LONG, Path.of("/"));
    try (PrivateContainerd containerd = PrivateContainerd.start();
        ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE);
        CriRuntime runtime = connect(containerd.socket(), loops, options)) {
      List<String> containers = new ArrayList<>();
      try (KubeletStandIn kubelet = kubelet(containerd, loops)) {
        PodRef pod = kubelet.pod("bench");
        for (int i = 0; i < AT_ONCE; i++) {
          containers.add(kubelet.container(pod, "app-" + i, "sleep", "100000"));
        }
      }
      AtomicLong done = new AtomicLong();
      CountDownLatch end = new CountDownLatch(1);
      Cost busy;
      try (ExecutorService probes = Executors.newVirtualThreadPerTaskExecutor()) {
        for (String id : containers) {
          probes.submit(() -> {
            while (end.getCount() > 0) {
              if (!runtime
                  .exec(CriFixture.WEB, id, List.of("true"), LONG, 10_240)
                  .equals(new Exited(0, ""))) {
                throw new AssertionError("not the expected end");
              }
              done.incrementAndGet();
            }
            return null;
          });
        }
        long begun = System.nanoTime();
        await()
            .atMost(Duration.ofMinutes(3))
            .until(
                () -> done.get() >= WARM_EXECS || System.nanoTime() - begun >= WARM_UP.toNanos());
        busy = measure(done::get);
        end.countDown();
      }
      Cost idle = measure(() -> runtime.stats().relists());
      double idleMicros =
          idle.cpu().toNanos() / 1e3 * busy.wall().toNanos() / idle.wall().toNanos();
      System.out.printf(
          "exec: %.0f/s with %d at once, %.0f µs of our CPU each (limit 1000); with the relists"
              + " beside them %.0f µs%n",
          busy.perSecond(),
          AT_ONCE,
          busy.cpuMicrosEach() - idleMicros / busy.count(),
          busy.cpuMicrosEach());
    }
  }

  @Test
  void relist() throws Exception {
    int pods = 10;
    int containersEach = 50;
    CriOptions options =
        new CriOptions(
            "127.0.0.1", Duration.ofMillis(100), LONG, LONG, LONG, AT_ONCE, LONG, Path.of("/"));
    try (PrivateContainerd containerd = PrivateContainerd.start();
        ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE)) {
      try (KubeletStandIn kubelet = kubelet(containerd, loops);
          ExecutorService makers = Executors.newFixedThreadPool(8)) {
        List<Future<String>> made = new ArrayList<>();
        for (int i = 0; i < pods; i++) {
          PodRef pod = kubelet.pod("pod-" + i);
          for (int j = 0; j < containersEach; j++) {
            String name = "app-" + j;
            made.add(makers.submit(() -> kubelet.unstarted(pod, name)));
          }
        }
        for (Future<String> each : made) {
          each.get();
        }
      }
      try (CriRuntime runtime = connect(containerd.socket(), loops, options)) {
        ObservedPods seen = new ObservedPods();
        runtime.watch(seen);
        await().until(() -> seen.size() == pods);
        await()
            .atMost(Duration.ofMinutes(3))
            .until(() -> runtime.stats().relists() >= WARM_RELISTS);
        Cost cost = measure(() -> runtime.stats().relists());
        System.out.printf(
            "relist of %d containers in %d pods: %.1f ms of our CPU (limit 20), %d ms in all%n",
            pods * containersEach,
            pods,
            cost.cpuMicrosEach() / 1000,
            runtime.stats().relisting().dividedBy(runtime.stats().relists()).toMillis());
      }
    }
  }

  /** The part of the tenants benchmark that takes real containers: W-22. */
  @Test
  void hangingExecs() throws Exception {
    int hostile = 20;
    long seconds = Long.getLong("probelet.seconds", MEASURED.toSeconds());
    CriOptions options = new CriOptions("127.0.0.1").withMaxExecs(AT_ONCE);
    try (PrivateContainerd containerd = PrivateContainerd.start();
        ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE);
        CriRuntime runtime = connect(containerd.socket(), loops, options);
        KubeletStandIn kubelet = kubelet(containerd, loops);
        ExecutorService probes = Executors.newVirtualThreadPerTaskExecutor()) {
      PodRef honest = kubelet.pod(new PodRef("shop", "web", "web-uid"));
      String web = kubelet.container(honest, "app", "sleep", "100000");
      for (int i = 0; i < hostile; i++) {
        PodRef pod = kubelet.pod(new PodRef("hostile", "pod-" + i, "hostile-" + i));
        String id = kubelet.container(pod, "app", "sleep", "100000");
        probes.submit(
            () -> runtime.exec(pod, id, List.of("sleep", "100000"), Duration.ofHours(1), 1024));
      }
      await().atMost(LONG).until(() -> runtime.stats().execs().waiting() > 0);
      long slowest = 0;
      for (int i = 0; i < seconds; i++) {
        long began = SystemClock.INSTANCE.nanoTime();
        assertThat(runtime.exec(honest, web, List.of("true"), LONG, 1024))
            .isEqualTo(new Exited(0, ""));
        slowest = Math.max(slowest, SystemClock.INSTANCE.nanoTime() - began);
        TimeUnit.SECONDS.sleep(1);
      }
      CriStats.Execs execs = runtime.stats().execs();
      System.out.printf(
          "%d pods whose commands hang hold %d of %d slots; %d honest commands, slowest %.0f ms%n",
          hostile, execs.running(), execs.limit(), seconds, slowest / 1e6);
      probes.shutdownNow();
    }
  }

  /** What happened in the measured time. */
  private record Cost(long count, Duration wall, Duration cpu) {
    double perSecond() {
      return count * 1e9 / wall.toNanos();
    }

    double cpuMicrosEach() {
      return cpu.toNanos() / 1e3 / count;
    }
  }

  private static Cost measure(Callable<Long> counter) throws Exception {
    long count = counter.call();
    long cpu = PROCESS.getProcessCpuTime();
    long wall = SystemClock.INSTANCE.nanoTime();
    TimeUnit.NANOSECONDS.sleep(MEASURED.toNanos());
    return new Cost(
        counter.call() - count,
        Duration.ofNanos(SystemClock.INSTANCE.nanoTime() - wall),
        Duration.ofNanos(PROCESS.getProcessCpuTime() - cpu));
  }

  private static CriRuntime connect(Path socket, ProbeLoops loops, CriOptions options) {
    CriRuntime runtime =
        CriRuntime.connect(
            socket, loops.all().getFirst().eventLoop(), SystemClock.INSTANCE, options);
    await().atMost(LONG).until(runtime::connected);
    return runtime;
  }

  private static KubeletStandIn kubelet(PrivateContainerd containerd, ProbeLoops loops)
      throws Exception {
    return new KubeletStandIn(containerd.socket(), loops.all().getFirst().eventLoop());
  }
}
