package io.probelet.monitor.source;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
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

/**
 * Calls syslog(2), klogctl in the C library. It requires {@code CAP_SYSLOG} if {@code
 * kernel.dmesg_restrict} is 1, but no device, so a container need not be privileged.
 */
final class SyslogCall implements KernelBuffer {
  private static final int READ_ALL = 3;
  private static final int SIZE_BUFFER = 10;
  private static final int NOT_PERMITTED = 1;

  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  @Override
  public int size() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      return call(arena, SIZE_BUFFER, MemorySegment.NULL, 0);
    }
  }

  @Override
  public byte[] end(int atMost) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(atMost);
      int length = call(arena, READ_ALL, buffer, atMost);
      return buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static int call(Arena arena, int action, MemorySegment buffer, int length)
      throws IOException {
    MemorySegment state = arena.allocate(CALL_STATE);
    int result;
    try {
      result = (int) Calls.KLOGCTL.invokeExact(state, action, buffer, length);
    } catch (Throwable failed) {
      throw new IOException(
          "cannot call syslog(2): native access is disabled; start Java with"
              + " --enable-native-access=ALL-UNNAMED",
          failed);
    }
    if (result < 0) {
      int errno = (int) ERRNO.get(state, 0L);
      if (errno == NOT_PERMITTED) {
        throw new UnavailableException(
            Obstacle.NOT_PERMITTED, "syslog(2) is not permitted; requires CAP_SYSLOG");
      }
      throw new IOException("syslog(2) failed: errno " + errno);
    }
    return result;
  }

  /** Linked on first use: linking takes the JVM some tens of milliseconds. */
  private static final class Calls {
    static final MethodHandle KLOGCTL = of();

    private Calls() {}

    @SuppressWarnings("restricted") // a native call
    private static MethodHandle of() {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow("klogctl"),
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT),
          Linker.Option.captureCallState("errno"));
    }
  }
}
