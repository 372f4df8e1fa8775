package io.probelet.runtime.process;

import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.process.ProcessGroup;
import io.probelet.runtime.evidence.GroupFiles;
import io.probelet.runtime.evidence.KernelEvidence;
import io.probelet.runtime.evidence.ProcessFiles;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One run of a container: its process and the commands that run in it. */
final class ContainerInstance {
  private final String id;
  private final PodRunner pod;
  private final ContainerCommand command;
  private final Confined confined;
  private final ProcessGroup process;
  private final Set<ProcessGroup> commands = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> settled = new CompletableFuture<>();

  ContainerInstance(
      String id, PodRunner pod, ContainerCommand command, Confined confined, ProcessGroup process) {
    this.id = id;
    this.pod = pod;
    this.command = command;
    this.confined = confined;
    this.process = process;
  }

  String id() {
    return id;
  }

  PodRunner pod() {
    return pod;
  }

  ContainerCommand command() {
    return command;
  }

  Confined confined() {
    return confined;
  }

  ProcessGroup process() {
    return process;
  }

  boolean running() {
    return process.isAlive();
  }

  /**
   * {@return what the kernel says about it}
   *
   * <p>Without a control group its processes are those that descend from its first one.
   */
  ContainerEvidence evidence() {
    GroupFiles group = confined.files();
    List<Long> pids = group.processes();
    return KernelEvidence.of(
        group, pids.isEmpty() ? ProcessFiles.OWN.family(process.pid()) : pids, ProcessFiles.OWN);
  }

  /** A command runs beside it; it ends with the container at the latest. */
  void entered(ProcessGroup sent) {
    commands.add(sent);
    sent.whenEnded(_ -> commands.remove(sent));
    if (!running()) {
      sent.kill();
    }
  }

  /** The process has ended. */
  void ended() {
    commands.forEach(ProcessGroup::kill);
    confined.release();
  }

  /** Marks the end of the process as processed by the pod. */
  void settle() {
    settled.complete(null);
  }

  /**
   * Waits until the pod has processed the end of the process.
   *
   * @return whether it has
   */
  boolean awaitSettled(Duration timeout) throws InterruptedException {
    try {
      settled.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException stillThere) {
      return false;
    } catch (ExecutionException impossible) {
      throw new AssertionError("an end is never exceptional", impossible);
    }
  }
}
