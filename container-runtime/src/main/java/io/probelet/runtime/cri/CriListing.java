package io.probelet.runtime.cri;

import io.netty.channel.EventLoop;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ContainerStatus;
import io.probelet.runtime.cri.v1.PodSandbox;
import io.probelet.runtime.cri.v1.PodSandboxState;
import io.probelet.runtime.cri.v1.VersionResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The current sandboxes and containers of a runtime, over a separate connection. It contains only
 * states: no labels, annotations, specifications or output.
 */
public final class CriListing {
  /**
   * Number of ended containers, newest first, whose exit code is requested; a runtime keeps few of
   * each.
   */
  private static final int MAX_DETAILS = 500;

  private final Path socket;
  private final EventLoop loop;

  /**
   * A pod's sandbox.
   *
   * @param state for example ready
   */
  public record Sandbox(String id, String pod, String state, Instant created) {}

  /**
   * A container.
   *
   * @param pod namespace and name; empty if the runtime does not list its sandbox
   * @param attempt number of instances before this one
   * @param state for example running
   * @param ended why it ended, with its exit code; empty if it has not, or that is unknown
   */
  public record Instance(
      String id,
      String pod,
      String name,
      int attempt,
      String state,
      Instant created,
      String ended) {}

  /**
   * The listing.
   *
   * @param sandboxes in the runtime's order
   * @param instances in the runtime's order
   */
  public record Answer(String runtime, List<Sandbox> sandboxes, List<Instance> instances) {
    /** Keeps unmodifiable copies of the lists. */
    public Answer {
      sandboxes = List.copyOf(sandboxes);
      instances = List.copyOf(instances);
    }
  }

  /**
   * Creates an unconnected instance.
   *
   * @param loop the event loop of the connection
   */
  public CriListing(Path socket, EventLoop loop) {
    this.socket = socket;
    this.loop = loop;
  }

  /**
   * Requests the listing. Blocks.
   *
   * @param timeout of each of four requests
   * @throws ContainerRuntimeException if there is no response; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  public Answer ask(Duration timeout) throws ContainerRuntimeException, InterruptedException {
    CriConnection connection = new CriConnection(socket, loop, () -> {});
    try {
      CriCalls calls = new CriCalls(connection, timeout);
      calls.connect();
      VersionResponse version = calls.version();
      List<Sandbox> sandboxes = calls.sandboxes().stream().map(CriListing::sandbox).toList();
      List<Container> containers = calls.containers();
      List<String> ended =
          containers.stream()
              .filter(each -> each.getState() == ContainerState.CONTAINER_EXITED)
              .sorted((one, other) -> Long.compare(other.getCreatedAt(), one.getCreatedAt()))
              .limit(MAX_DETAILS)
              .map(Container::getId)
              .toList();
      Map<String, String> endings = new HashMap<>();
      for (ContainerStatus each : calls.containerStatuses(ended)) {
        endings.put(each.getId(), "%s %d".formatted(each.getReason(), each.getExitCode()).strip());
      }
      Map<String, String> pods = new HashMap<>();
      sandboxes.forEach(each -> pods.put(each.id(), each.pod()));
      List<Instance> instances = new ArrayList<>();
      containers.forEach(each -> instances.add(instance(each, pods, endings)));
      return new Answer(
          version.getRuntimeName() + " " + version.getRuntimeVersion(), sandboxes, instances);
    } finally {
      connection.drop();
    }
  }

  private static Sandbox sandbox(PodSandbox listed) {
    return new Sandbox(
        listed.getId(),
        listed.getMetadata().getNamespace() + "/" + listed.getMetadata().getName(),
        listed.getState() == PodSandboxState.SANDBOX_READY ? "ready" : "notready",
        instant(listed.getCreatedAt()));
  }

  private static Instance instance(
      Container listed, Map<String, String> pods, Map<String, String> endings) {
    return new Instance(
        listed.getId(),
        pods.getOrDefault(listed.getPodSandboxId(), ""),
        listed.getMetadata().getName(),
        listed.getMetadata().getAttempt(),
        listed.getState().name().replace("CONTAINER_", "").toLowerCase(Locale.ROOT),
        instant(listed.getCreatedAt()),
        endings.getOrDefault(listed.getId(), ""));
  }

  private static Instant instant(long nanos) {
    return Instant.EPOCH.plusNanos(nanos);
  }
}
