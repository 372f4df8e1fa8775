package io.probelet.runtime.cri;

import io.netty.channel.EventLoop;
import io.probelet.health.TimeSource;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.v1.RuntimeCondition;
import io.probelet.runtime.cri.v1.RuntimeStatus;
import java.nio.file.Path;
import java.time.Duration;

/** The status that a runtime reports, and the time to list its containers. */
public final class CriHealth {
  private static final String READY = "RuntimeReady";
  private static final String NETWORK_READY = "NetworkReady";

  private final CriConnection connection;
  private final TimeSource time;

  /**
   * The status that a runtime reports.
   *
   * @param ready empty if it is ready, else why not
   * @param networkReady empty if its network is ready, else why not
   */
  public record Answer(String ready, String networkReady, Duration listTook) {}

  /**
   * Creates an unconnected instance.
   *
   * @param loop the event loop of the connection
   */
  public CriHealth(Path socket, EventLoop loop, TimeSource time) {
    connection = new CriConnection(socket, loop, () -> {});
    this.time = time;
  }

  /**
   * Requests the status, then a list of containers. Blocks.
   *
   * @param timeout of each of the two
   * @throws ContainerRuntimeException if there is no response; the message is for the user
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

  /** A condition that the runtime does not report counts as met. */
  private static String complaint(RuntimeStatus status, String type) {
    return status.getConditionsList().stream()
        .filter(condition -> condition.getType().equals(type) && !condition.getStatus())
        .map(CriHealth::text)
        .findFirst()
        .orElse("");
  }

  private static String text(RuntimeCondition condition) {
    String text = (condition.getReason() + ": " + condition.getMessage()).strip();
    return text.equals(":") ? "without a reason" : text;
  }

  /** Closes the connection; the next request connects again. */
  public void close() {
    connection.drop();
  }
}
