package io.probelet.agent.server;

import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.health.ShortText;
import io.probelet.health.Threads;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Commands that clients have to run in their containers, each until its answer comes or the engine
 * gives up. There are as many as probes may be in progress. Safe for use by several threads.
 */
final class PendingCommands {
  /** Characters of one command: events must have room for those of all pods. */
  static final int MAX_COMMAND = 4096;

  private final KnownPods known;
  private final EventBuffer events;
  private final Threads threads;
  private final Map<Long, Pending> pending = new LinkedHashMap<>();
  private long last;

  private record Pending(ServedEvent event, CompletableFuture<ExecResult> answer) {}

  PendingCommands(KnownPods known, EventBuffer events, Threads threads) {
    this.known = known;
    this.events = events;
    this.threads = threads;
  }

  /**
   * Has a client run a command, and waits for its answer.
   *
   * @param outputLimit characters of its output that are kept
   * @throws ContainerRuntimeException if the command is too long
   * @throws InterruptedException if the engine gave up waiting
   */
  ExecResult run(
      PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException {
    int chars = command.stream().mapToInt(String::length).sum();
    if (chars > MAX_COMMAND) {
      throw new ContainerRuntimeException(
          "the command has %d characters; the probe server takes %d".formatted(chars, MAX_COMMAND));
    }
    CompletableFuture<ExecResult> answer = new CompletableFuture<>();
    long id;
    synchronized (this) {
      id = ++last;
      ServedEvent event =
          ServedEvent.command(id, pod, container(pod, containerId), containerId, command, timeout);
      pending.put(id, new Pending(event, answer));
      events.add(event);
    }
    try {
      return cut(threads.get(answer, Threads.LONGEST), outputLimit);
    } catch (ExecutionException | TimeoutException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      synchronized (this) {
        pending.remove(id);
      }
    }
  }

  private String container(PodRef pod, String containerId) {
    return known
        .find(pod)
        .flatMap(found ->
            found.reported().containers().entrySet().stream()
                .filter(each -> each.getValue().id().equals(containerId))
                .map(Map.Entry::getKey)
                .findFirst())
        .orElse("");
  }

  private static ExecResult cut(ExecResult result, int limit) {
    return result instanceof ExecResult.Exited(int exitCode, String output)
        ? new ExecResult.Exited(exitCode, ShortText.beginning(output, limit))
        : result;
  }

  /** {@return whether a command of this number still waited for its answer} */
  synchronized boolean answered(long id, ExecResult result) {
    Pending command = pending.get(id);
    return command != null && command.answer().complete(result);
  }

  /** {@return the commands that wait for an answer, the oldest first} */
  synchronized List<ServedEvent> all() {
    return pending.values().stream().map(Pending::event).toList();
  }
}
