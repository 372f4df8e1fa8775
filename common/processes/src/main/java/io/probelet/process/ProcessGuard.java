package io.probelet.process;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that outlives this program and ends the process groups it leaves behind. It reads the
 * live groups from its standard input. When that closes, for example because the program was
 * killed, it ends all groups with TERM, and after 2 s with KILL. A stopped program keeps the pipe
 * open, so nothing happens then. If a group does not exist yet because its leader was just forked,
 * the leader is signaled.
 *
 * <p>A parent-death signal is not used: it follows the forking thread, not the JVM, and does not
 * reach grandchildren. A cgroup is not used: it requires permissions that a user's shell lacks.
 */
public final class ProcessGuard implements Admission, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessGuard.class);

  private static final String SCRIPT =
      """
      trap '' HUP INT QUIT TERM
      echo ready
      groups=' '
      while read -r change group; do
        case $change in
          +) groups="$groups$group " ;;
          -) case $groups in
               *" $group "*) groups="${groups%%" $group "*} ${groups#*" $group "}" ;;
             esac ;;
        esac
      done
      exec 2>/dev/null
      signal() { kill -"$1" -"$2" || kill -"$1" "$2"; }
      for group in $groups; do signal TERM "$group"; done
      tries=20
      while [ $tries -gt 0 ]; do
        left=
        for group in $groups; do signal 0 "$group" && left=yes; done
        [ "$left" ] || exit 0
        sleep 0.1
        tries=$((tries - 1))
      done
      for group in $groups; do signal KILL "$group"; done
      """;

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Long> groups = new HashSet<>();
  private @Nullable Process process;
  private boolean closed;

  /**
   * Starts the guard.
   *
   * @throws IOException if it cannot be started, for example because {@code setsid} or {@code sh}
   *     is missing
   */
  public ProcessGuard() throws IOException {
    lock.lock();
    try {
      launch();
    } finally {
      lock.unlock();
    }
  }

  /** {@return the guard's process ID, until it is replaced} */
  long pid() {
    lock.lock();
    try {
      Process current = process;
      return current == null ? -1 : current.pid();
    } finally {
      lock.unlock();
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>From now on the group ends with this program, even if it is killed in the next instant.
   *
   * @throws IOException if no guard can be reached or started
   */
  @Override
  public void enter(long group) throws IOException {
    lock.lock();
    try {
      groups.add(group);
      Process current = process;
      if (current == null || !send(current, "+ " + group)) {
        launch();
      }
    } catch (IOException unreachable) {
      groups.remove(group);
      throw unreachable;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void left(long group) {
    lock.lock();
    try {
      Process current = process;
      if (groups.remove(group) && current != null) {
        boolean _ = send(current, "- " + group); // if it does not respond, it is being replaced
      }
    } finally {
      lock.unlock();
    }
  }

  /** Releases the guard, which ends the remaining groups, and waits for it. */
  @Override
  public void close() {
    Process last;
    lock.lock();
    try {
      closed = true;
      last = process;
      process = null;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      try {
        last.getOutputStream().close();
        if (!last.waitFor(5, TimeUnit.SECONDS)) {
          LOG.warn("guard process still running 5 s after its release pid={}", last.pid());
        }
      } catch (IOException alreadyGone) {
        LOG.debug("guard process had already ended pid={}", last.pid());
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void launch() throws IOException {
    process = null;
    ProcessBuilder builder =
        new ProcessBuilder("setsid", "/bin/sh", "-c", SCRIPT, "probelet-guard")
            .directory(new File("/"))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(Set.of("PATH"));
    Process started = builder.start();
    if (!"ready".equals(started.inputReader(StandardCharsets.US_ASCII).readLine())) {
      started.destroyForcibly();
      throw new IOException("guard process exited immediately; requires setsid and /bin/sh");
    }
    process = started;
    String known = groups.stream().map(group -> "+ " + group).collect(Collectors.joining("\n"));
    if (!known.isEmpty() && !send(started, known)) {
      throw new IOException("guard process does not respond");
    }
    Thread.ofVirtual().name("guard-" + started.pid()).start(() -> replaceAtEnd(started));
  }

  /**
   * A killed guard must be replaced, or groups would become orphans when this program is killed.
   */
  private void replaceAtEnd(Process watched) {
    try {
      watched.waitFor();
    } catch (InterruptedException ignored) {
      return;
    }
    lock.lock();
    try {
      Process current = process;
      if (closed || current == null || current.pid() != watched.pid()) {
        return;
      }
      process = null;
      LOG.warn("guard process was killed, starting another pid={}", watched.pid());
      launch();
    } catch (IOException failed) {
      LOG.error(
          "no guard process: if this program is killed, its child processes keep running reason=\"{}\"",
          failed.toString());
    } finally {
      lock.unlock();
    }
  }

  /** Whether the guard has read it, or will read it from its pipe. */
  private static boolean send(Process guard, String lines) {
    try {
      OutputStream input = guard.getOutputStream();
      input.write((lines + "\n").getBytes(StandardCharsets.US_ASCII));
      input.flush();
      return true;
    } catch (IOException gone) {
      return false;
    }
  }
}
