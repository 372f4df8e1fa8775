package io.probelet.monitor.check;

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
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;

/** Calls the C library, with the struct layouts of 64-bit Linux. Calls are linked on first use. */
final class LibC implements Kernel {
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final int NOT_PERMITTED = 1;
  private static final int NO_SUCH_FILE = 2;
  private static final int INPUT_OUTPUT_ERROR = 5;
  private static final int ACCESS_DENIED = 13;

  /** struct statvfs: 64-bit numbers in this order, followed by unused ones. */
  private static final long STATVFS_BYTES = 256;

  private static final int BLOCK_BYTES = 1;
  private static final int BLOCKS = 2;
  private static final int FREE_BLOCKS = 3;
  private static final int AVAILABLE_BLOCKS = 4;
  private static final int INODES = 5;
  private static final int FREE_INODES = 6;

  /** struct timex: modes, 0 to read only; then 64-bit numbers, including the status. */
  private static final long TIMEX_BYTES = 256;

  private static final long OFFSET_AT = 8;
  private static final long STATUS_AT = 40;
  private static final int UNSYNCHRONISED = 0x0040;
  private static final int NANOSECONDS = 0x2000;

  /** struct timespec: seconds and nanoseconds. */
  private static final long TIMESPEC_BYTES = 16;

  private static final int CLOCK_MONOTONIC = 1;

  /** Flags of open(2), identical on all 64-bit platforms of Java. */
  private static final int NON_BLOCKING = 0x800;

  private static final int CLOSE_ON_EXEC = 0x80000;

  /** cpu_set_t for as many CPUs as the kernel can have: 8,192. */
  private static final long CPU_SET_BYTES = 1024;

  private final PinnedThreads cpus = new PinnedThreads();

  @Override
  public Room room(Path mount) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      MemorySegment answer = arena.allocate(STATVFS_BYTES, Long.BYTES);
      int result =
          (int) Calls.STATVFS.invokeExact(state, arena.allocateFrom(mount.toString()), answer);
      if (result != 0) {
        throw refused("statvfs", mount.toString(), (int) ERRNO.get(state, 0L));
      }
      return new Room(
          number(answer, BLOCK_BYTES),
          number(answer, BLOCKS),
          number(answer, FREE_BLOCKS),
          number(answer, AVAILABLE_BLOCKS),
          number(answer, INODES),
          number(answer, FREE_INODES));
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable failed) {
      throw unable("statvfs", failed);
    }
  }

  @Override
  public boolean opens(Path file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      MemorySegment path = arena.allocateFrom(file.toString());
      int opened = (int) Calls.OPEN.invokeExact(state, path, NON_BLOCKING | CLOSE_ON_EXEC);
      int error = (int) ERRNO.get(state, 0L);
      if (opened >= 0) {
        int _ = (int) Calls.CLOSE.invokeExact(state, opened);
        return true;
      }
      if (error == INPUT_OUTPUT_ERROR) {
        return false;
      }
      throw refused("opening", file.toString(), error);
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable failed) {
      throw unable("open", failed);
    }
  }

  @Override
  public Cpus cpus() {
    return cpus;
  }

  /** The CPUs that the calling thread may run on. */
  static BitSet affinity() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      MemorySegment set = arena.allocate(CPU_SET_BYTES, Long.BYTES);
      int result = (int) Calls.GET_AFFINITY.invokeExact(state, 0, CPU_SET_BYTES, set);
      if (result != 0) {
        throw refused("sched_getaffinity", "this thread", (int) ERRNO.get(state, 0L));
      }
      return BitSet.valueOf(set.toArray(ValueLayout.JAVA_LONG));
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable failed) {
      throw unable("sched_getaffinity", failed);
    }
  }

  /** Binds the calling thread to that CPU. */
  static void pin(int cpu) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      MemorySegment set = arena.allocate(CPU_SET_BYTES, Long.BYTES);
      set.setAtIndex(ValueLayout.JAVA_LONG, cpu / Long.SIZE, 1L << (cpu % Long.SIZE));
      int result = (int) Calls.SET_AFFINITY.invokeExact(state, 0, CPU_SET_BYTES, set);
      if (result != 0) {
        throw refused("sched_setaffinity", "CPU " + cpu, (int) ERRNO.get(state, 0L));
      }
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable failed) {
      throw unable("sched_setaffinity", failed);
    }
  }

  @Override
  public String filesystem(Path folder) throws IOException {
    return Files.getFileStore(folder).type();
  }

  private static long number(MemorySegment struct, int index) {
    return struct.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  private static IOException refused(String call, String what, int errno) {
    return switch (errno) {
      case NO_SUCH_FILE -> new NoSuchFileException(what);
      case NOT_PERMITTED, ACCESS_DENIED -> new AccessDeniedException(what);
      default -> new IOException(call + " for " + what + " failed: errno " + errno);
    };
  }

  @Override
  public ClockState clock() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      MemorySegment timex = arena.allocate(TIMEX_BYTES, Long.BYTES);
      int result = (int) Calls.ADJTIMEX.invokeExact(state, timex);
      if (result < 0) {
        throw new IOException("adjtimex failed: errno " + (int) ERRNO.get(state, 0L));
      }
      int status = timex.get(ValueLayout.JAVA_INT, STATUS_AT);
      long offset = Math.abs(timex.get(ValueLayout.JAVA_LONG, OFFSET_AT));
      return new ClockState(
          (status & UNSYNCHRONISED) == 0,
          Duration.ofNanos((status & NANOSECONDS) == 0 ? offset * 1000 : offset));
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable failed) {
      throw unable("adjtimex", failed);
    }
  }

  @Override
  public Duration awake() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      MemorySegment moment = arena.allocate(TIMESPEC_BYTES, Long.BYTES);
      int result = (int) Calls.CLOCK_GETTIME.invokeExact(state, CLOCK_MONOTONIC, moment);
      if (result != 0) {
        throw new IOException("clock_gettime failed: errno " + (int) ERRNO.get(state, 0L));
      }
      return Duration.ofSeconds(number(moment, 0), number(moment, 1));
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable failed) {
      throw unable("clock_gettime", failed);
    }
  }

  private static IOException unable(String call, Throwable failed) {
    return new IOException(
        call
            + " cannot be called: native access is disabled; start Java with"
            + " --enable-native-access=ALL-UNNAMED",
        failed);
  }

  /** Linked on first use: linking takes the JVM some tens of milliseconds. */
  private static final class Calls {
    private static final FunctionDescriptor AFFINITY =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);

    static final MethodHandle STATVFS =
        of(
            "statvfs",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    static final MethodHandle OPEN =
        of(
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    static final MethodHandle CLOSE =
        of("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    static final MethodHandle GET_AFFINITY = of("sched_getaffinity", AFFINITY);
    static final MethodHandle SET_AFFINITY = of("sched_setaffinity", AFFINITY);
    static final MethodHandle ADJTIMEX =
        of("adjtimex", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    static final MethodHandle CLOCK_GETTIME =
        of(
            "clock_gettime",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private Calls() {}

    @SuppressWarnings("restricted") // the native calls of this module
    private static MethodHandle of(String name, FunctionDescriptor signature) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow(name),
          signature,
          Linker.Option.captureCallState("errno"));
    }
  }
}
