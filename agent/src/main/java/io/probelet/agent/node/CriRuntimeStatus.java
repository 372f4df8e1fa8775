package io.probelet.agent.node;

import io.netty.channel.EventLoop;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.RuntimeQuery;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.CriHealth;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a container runtime for its status over a separate connection, because a connection busy
 * with probes says nothing about the runtime. It connects on first use.
 */
public final class CriRuntimeStatus implements RuntimeQuery {
  private final Supplier<Optional<Path>> socket;
  private @Nullable EventLoop loop;
  private @Nullable Connection connection;

  /** Whom the question goes to. */
  private record Connection(Path socket, CriHealth health) {}

  /**
   * Creates a query that has not been made.
   *
   * @param socket where the runtime listens, asked each time; empty while there is none
   */
  public CriRuntimeStatus(Supplier<Optional<Path>> socket) {
    this.socket = socket;
  }

  @Override
  public synchronized Status ask(Duration timeout) throws IOException, InterruptedException {
    Path now = socket.get().orElseThrow(NoRuntimeException::new);
    try {
      CriHealth.Answer answer = connected(now).ask(timeout);
      return new Status(answer.ready(), answer.networkReady(), answer.listTook());
    } catch (ContainerRuntimeException silent) {
      throw new IOException(silent.getMessage(), silent);
    }
  }

  private CriHealth connected(Path now) {
    if (loop == null) {
      loop =
          ProbeLoops.start(1, "runtime-status-", SystemClock.INSTANCE).all().getFirst().eventLoop();
    }
    if (connection == null || !connection.socket().equals(now)) {
      if (connection != null) {
        connection.health().close();
      }
      connection = new Connection(now, new CriHealth(now, loop, SystemClock.INSTANCE));
    }
    return connection.health();
  }
}
