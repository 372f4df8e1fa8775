package io.probelet.agent.node;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.health.SystemClock;
import io.probelet.nodehealth.monitor.check.RuntimeLook;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.CriHealth;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks a container runtime how it is, over a connection of its own: one that is busy with probes
 * tells nothing about the runtime. The connection is made when it is first asked.
 */
public final class CriLook implements RuntimeLook {
  private static final ThreadFactory THREAD =
      Thread.ofPlatform().daemon().name("runtime-look").factory();

  private final Path socket;
  private @Nullable CriHealth health;

  /**
   * Creates a look that has not been taken.
   *
   * @param socket where the runtime listens
   */
  public CriLook(Path socket) {
    this.socket = socket;
  }

  @Override
  public synchronized Answer ask(Duration timeout) throws IOException, InterruptedException {
    if (health == null) {
      health =
          new CriHealth(
              socket,
              new MultiThreadIoEventLoopGroup(1, THREAD, NioIoHandler.newFactory()).next(),
              SystemClock.INSTANCE);
    }
    try {
      CriHealth.Answer answer = health.ask(timeout);
      return new Answer(answer.ready(), answer.networkReady(), answer.listTook());
    } catch (ContainerRuntimeException silent) {
      throw new IOException(silent.getMessage(), silent);
    }
  }
}
