package io.probelet.process;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Signals whole process groups with kill(2), for which Java has no API. */
final class GroupSignals {
  private static final int NONE = 0;
  private static final int KILL = 9;
  private static final int TERM = 15;
  private static final int PERMISSION_DENIED = 1;

  /** Killed processes disappear within microseconds, unless their new parent reaps them slowly. */
  private static final Duration RETRY = Duration.ofMillis(1);

  private static final int MAX_RETRIES = 500;
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private final MethodHandle kill;

  private GroupSignals(MethodHandle kill) {
    this.kill = kill;
  }

  /**
   * Looks up kill(2).
   *
   * @throws IOException if native access is disabled
   */
  @SuppressWarnings("restricted") // the one native call of this module
  static GroupSignals load() throws IOException {
    try {
      Linker linker = Linker.nativeLinker();
      MemorySegment address = linker.defaultLookup().findOrThrow("kill");
      return new GroupSignals(
          linker.downcallHandle(
              address,
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
              Linker.Option.captureCallState("errno")));
    } catch (IllegalCallerException | UnsupportedOperationException | LinkageError denied) {
      throw new IOException(
          "cannot signal process groups: native access is disabled; start Java with"
              + " --enable-native-access=ALL-UNNAMED",
          denied);
    }
  }

  /** Sends TERM to a group whose leader runs. */
  void terminate(long group) {
    signalGroupOrLeader(group, TERM);
  }

  /** Sends KILL to a group whose leader runs. */
  void kill(long group) {
    signalGroupOrLeader(group, KILL);
  }

  /**
   * Kills the rest of a group whose leader has been reaped, and waits until it is gone, so that a
   * successor finds its ports free.
   */
  void killLeftovers(long group) {
    // While a member is left, the kernel does not reuse the leader's number; if a process has it,
    // the group is empty and the number belongs to another process.
    if (signal(group, NONE) || !signal(-group, KILL)) {
      return;
    }
    for (int retry = 0; retry < MAX_RETRIES && signal(-group, NONE); retry++) {
      LockSupport.parkNanos(RETRY.toNanos());
    }
  }

  /** A leader that was just forked may not have created its group yet. */
  private void signalGroupOrLeader(long group, int signal) {
    if (!signal(-group, signal)) {
      signal(group, signal);
    }
  }

  /** Whether the target exists, even if signaling it is not permitted. */
  private boolean signal(long target, int signal) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      int result = (int) kill.invokeExact(state, (int) target, signal);
      return result == 0 || (int) ERRNO.get(state, 0L) == PERMISSION_DENIED;
    } catch (Throwable impossible) {
      throw new AssertionError("unexpected exception from kill(2)", impossible);
    }
  }
}
