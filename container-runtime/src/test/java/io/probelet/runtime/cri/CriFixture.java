package io.probelet.runtime.cri;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ExecResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A runtime that does what a test says, on a real socket, with one container, and its adapter. */
final class CriFixture implements AutoCloseable {
  /** How long tests wait for what must come; only as long as this on a machine that stalls. */
  static final Duration LONG = Duration.ofMinutes(1);

  /** The pod, and its container {@code app}, whose id is {@code c1}. */
  static final PodRef WEB = new PodRef("default", "web", "web-uid");

  final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  final ObservedPods pods = new ObservedPods();
  FakeCri cri;
  Path socket;
  CriRuntime runtime;

  CriFixture(Path directory) {
    socket = directory.resolve("cri.sock");
    startRuntime();
  }

  /** Starts the runtime, again if it was closed, with nothing but the container. */
  void startRuntime() {
    cri = new FakeCri(socket);
    cri.sandboxes.put("s1", Listed.sandbox("s1", "web"));
    cri.containers.put("c1", Listed.running("c1", "s1", "app", 0));
  }

  /** Looks often, and allows so many commands at once; calls have time. */
  static CriOptions options(Duration leeway, Duration slotLeeway, int execs) {
    return new CriOptions(
        "127.0.0.1", Duration.ofMillis(200), LONG, leeway, slotLeeway, execs, LONG, Path.of("/"));
  }

  void connect(TimeSource time, CriOptions options) {
    runtime = CriRuntime.connect(socket, loops, time, options);
    runtime.watch(pods);
  }

  void awaitContainer() {
    pods.until(WEB, "app", ContainerObservation::running);
  }

  ExecResult exec(Duration timeout) throws Exception {
    return runtime.exec(WEB, "c1", List.of("check", "it"), timeout, 10 * 1024);
  }

  @Override
  public void close() {
    if (runtime != null) {
      runtime.close();
    }
    cri.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
