package io.probelet.agent.run;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.probelet.probe.net.EchoSockets;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** Opens ICMP sockets with socket(2) of the C library, in Linux's numbers. */
public final class PingSockets implements EchoSockets {
  private static final int INET = 2;
  private static final int INET6 = 10;
  private static final int DATAGRAM = 2;
  private static final int NON_BLOCKING = 0x800;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int ICMP = 1;
  private static final int ICMPV6 = 58;
  private static final int ACCESS_DENIED = 13;

  @Override
  public int open(boolean ipv4) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Call.STATE);
      int descriptor =
          (int)
              Call.SOCKET.invokeExact(
                  state,
                  ipv4 ? INET : INET6,
                  DATAGRAM | NON_BLOCKING | CLOSE_ON_EXEC,
                  ipv4 ? ICMP : ICMPV6);
      return descriptor >= 0 ? descriptor : refused((int) Call.ERRNO.get(state, 0L));
    } catch (RuntimeException refused) {
      throw refused;
    } catch (Throwable noCall) { // also an Error while Call is initialized
      throw new UnavailableException(
          "native access is disabled; start Java with --enable-native-access=ALL-UNNAMED");
    }
  }

  private static int refused(int errno) {
    if (errno == ACCESS_DENIED) {
      throw new UnavailableException(
          "this process may not open ICMP sockets: the sysctl net.ipv4.ping_group_range"
              + " must include one of its groups");
    }
    throw new IllegalStateException("socket failed: error(-" + errno + ")");
  }

  /** Linked on first use, so that agents without ICMP probes do not pay for it. */
  private static final class Call {
    static final StructLayout STATE = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    static final MethodHandle SOCKET = link();

    private Call() {}

    @SuppressWarnings("restricted") // the native call of this class
    private static MethodHandle link() {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow("socket"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
          Linker.Option.captureCallState("errno"));
    }
  }
}
