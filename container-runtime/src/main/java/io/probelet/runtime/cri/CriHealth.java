package io.probelet.runtime.cri;

import io.netty.channel.EventLoop;
import io.probelet.health.TimeSource;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.v1.RuntimeCondition;
import io.probelet.runtime.cri.v1.RuntimeStatus;
import java.nio.file.Path;
import java.time.Duration;

/** What a runtime says of itself, and how long it takes to say what it runs. */
public final class CriHealth {
  private static final String READY = "RuntimeReady";
  private static final String NETWORK_READY = "NetworkReady";

  private final CriConnection connection;
  private final TimeSource time;

  /**
   * What a runtime says of itself.
   *
   * @param ready empty if it is ready, else why not
   * @param networkReady empty if its network is ready, else why not
   */
  public record Answer(String ready, String networkReady, Duration listTook) {}

  /**
   * Creates one that is not connected.
   *
   * @param loop where the connection lives once somebody asks
   */
  public CriHealth(Path socket, EventLoop loop, TimeSource time) {
    connection = new CriConnection(socket, loop, () -> {});
    this.time = time;
  }

  /**
   * Asks for the status, then for a list of containers. Blocks.
   *
   * @param timeout how long each of the two may take
   * @throws ContainerRuntimeException if it does not answer; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  public Answer ask(Duration timeout) throws ContainerRuntimeException, InterruptedException {
    CriCalls calls = new CriCalls(connection, timeout);
    calls.connect();
    RuntimeStatus status = calls.status();
    long start = time.nanoTime();
    calls.containers();
    Duration listTook = Duration.ofNanos(time.nanoTime() - start);
    return new Answer(complaint(status, READY), complaint(status, NETWORK_READY), listTook);
  }

  /** A runtime that does not mention a condition has nothing to complain of. */
  private static String complaint(RuntimeStatus status, String type) {
    return status.getConditionsList().stream()
        .filter(condition -> condition.getType().equals(type) && !condition.getStatus())
        .map(CriHealth::text)
        .findFirst()
        .orElse("");
  }

  private static String text(RuntimeCondition condition) {
    String text = (condition.getReason() + ": " + condition.getMessage()).strip();
    return text.equals(":") ? "for a reason it does not give" : text;
  }

  /** Ends the connection; the next question makes another. */
  public void close() {
    connection.drop();
  }
}
