package io.probelet.runtime.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that leads a group of its own. It has ended once its leader has been reaped and the
 * rest of the group has been killed, as a container ends with its first process. Destroying it
 * kills the group.
 *
 * <p>A descendant that makes itself a session of its own leaves the group and is out of reach.
 */
final class GroupProcess extends Process {
  private static final Logger log = LoggerFactory.getLogger(GroupProcess.class);

  private final Process leader;
  private final ProcessGroups groups;
  private final CompletableFuture<Integer> ended = new CompletableFuture<>();

  /**
   * Takes charge of a running leader.
   *
   * @param atEnd called once when the group has been cleaned up
   */
  GroupProcess(Process leader, ProcessGroups groups, Runnable atEnd) {
    this.leader = leader;
    this.groups = groups;
    Thread.ofVirtual().name("reap-" + leader.pid()).start(() -> reap(atEnd));
  }

  private void reap(Runnable atEnd) {
    int exitCode;
    while (true) {
      try {
        exitCode = leader.waitFor();
        break;
      } catch (InterruptedException ignored) {
        // Nobody knows this thread, so nobody can mean it.
      }
    }
    groups.killLeftovers(pid());
    atEnd.run();
    ended.complete(exitCode);
  }

  /** Does something when the group has ended, with the exit code: 128 + n for signal n. */
  void whenEnded(IntConsumer action) {
    CompletableFuture<Void> _ = ended.thenAccept(action::accept);
  }

  /** Sends TERM to the whole group, so that a shell around the program cannot swallow it. */
  void terminate() {
    if (leader.isAlive()) {
      groups.terminate(pid());
    }
  }

  /** Sends KILL to the whole group. */
  @Override
  public void destroy() {
    if (leader.isAlive()) {
      groups.kill(pid());
    }
  }

  @Override
  public Process destroyForcibly() {
    destroy();
    return this;
  }

  @Override
  public long pid() {
    return leader.pid();
  }

  @Override
  public boolean isAlive() {
    return !ended.isDone();
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return ended.get();
    } catch (ExecutionException impossible) {
      throw new AssertionError("an end is never exceptional", impossible);
    }
  }

  @Override
  public int exitValue() {
    if (!ended.isDone()) {
      throw new IllegalThreadStateException("process " + pid() + " has not ended");
    }
    return ended.join();
  }

  @Override
  public OutputStream getOutputStream() {
    return leader.getOutputStream();
  }

  @Override
  public InputStream getInputStream() {
    return leader.getInputStream();
  }

  @Override
  public InputStream getErrorStream() {
    return leader.getErrorStream();
  }

  /** Lets what waits at the gate begin; if it has ended already, its end will tell. */
  void openGate() {
    try (OutputStream gate = leader.getOutputStream()) {
      gate.write('\n');
    } catch (IOException ended) {
      log.debug("process pid={} ended at the gate", pid());
    }
  }
}
