package io.probelet.monitor.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process that leads a group of its own, all of which is killed when it is destroyed. */
final class GroupLeader extends Process {
  private static final Logger LOG = LoggerFactory.getLogger(GroupLeader.class);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Process leader;

  GroupLeader(Process leader) {
    this.leader = leader;
  }

  @Override
  public void destroy() {
    if (!leader.isAlive()) {
      return; // its number may be another's by now
    }
    try {
      // A group that has not been made yet consists of its leader.
      String group = Long.toString(leader.pid());
      new ProcessBuilder("/bin/sh", "-c", "kill -KILL -$1 || kill -KILL $1", "kill", group)
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start()
          .waitFor();
      // Not for ever: what waits for a disk that is gone cannot be killed.
      var _ = leader.waitFor(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (IOException failed) {
      LOG.warn(
          "only the leader of plugin pid={} was killed: {}", leader.pid(), failed.getMessage());
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
    leader.destroyForcibly();
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
    return leader.isAlive();
  }

  @Override
  public int waitFor() throws InterruptedException {
    return leader.waitFor();
  }

  @Override
  public int exitValue() {
    return leader.exitValue();
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
}
