package io.probelet.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The C library calls with which {@link RootEntry} becomes another program. */
final class RootCalls {
  private static final int NOT_PERMITTED = 1;
  private static final int NO_SUCH_FILE = 2;
  private static final int ACCESS_DENIED = 13;
  private static final int READ_ONLY = 0;
  private static final int SET_FLAGS = 2;
  private static final int CLOSE_ON_EXEC = 1;
  private static final int SET_NO_NEW_PRIVS = 38;
  private static final int SET_MASK = 2;
  private static final long SIGSET_BYTES = 128;

  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /**
   * One signature for all functions: linking one costs some 10 ms of processor time, and Linux
   * passes numbers and pointers to any function in the same 64-bit registers.
   */
  private static final FunctionDescriptor SIGNATURE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** Allocated until the process becomes another program. */
  private final Arena arena = Arena.global();

  private final MemorySegment state = arena.allocate(CALL_STATE);

  /** The program to become. */
  record Program(
      String path, MemorySegment file, MemorySegment arguments, MemorySegment environment) {}

  /** Calls a function of the C library; missing arguments are zero. */
  @SuppressWarnings("restricted") // native calls
  private int call(String name, long... arguments) {
    Linker linker = Linker.nativeLinker(); // which links a signature once
    MethodHandle function =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow(name),
            SIGNATURE,
            Linker.Option.captureCallState("errno"));
    long[] all = Arrays.copyOf(arguments, SIGNATURE.argumentLayouts().size());
    try {
      return (int) (long) function.invokeExact(state, all[0], all[1], all[2], all[3], all[4]);
    } catch (Throwable impossible) {
      throw new AssertionError("unexpected exception from a C library call", impossible);
    }
  }

  private long text(String value) {
    return arena.allocateFrom(value).address();
  }

  /** Opens a file that stays open when the process becomes another program. */
  int open(String path) throws IOException {
    return requireSuccess(call("open", text(path), READ_ONLY), "opening " + path);
  }

  /** Not an error if it is already closed. */
  void closeAtExec(int file) {
    int _ = call("fcntl", file, SET_FLAGS, CLOSE_ON_EXEC);
  }

  Program prepare(List<String> words, Map<String, String> variables) {
    String path = words.getFirst();
    return new Program(
        path,
        arena.allocateFrom(path),
        strings(words),
        strings(
            variables.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .toList()));
  }

  private MemorySegment strings(List<String> words) {
    MemorySegment pointers = arena.allocate(ADDRESS, words.size() + 1L); // the last is null
    for (int at = 0; at < words.size(); at++) {
      pointers.setAtIndex(ADDRESS, at, arena.allocateFrom(words.get(at)));
    }
    return pointers;
  }

  void leadSession() throws IOException {
    int _ = requireSuccess(call("setsid"), "starting a session");
  }

  void enter(String root) throws IOException {
    int entered = call("chroot", text(root));
    if (entered != 0 && errno() == NOT_PERMITTED) {
      throw new IOException(
          "entering " + root + " is not permitted; requires root with CAP_SYS_CHROOT");
    }
    int _ = requireSuccess(entered, "entering " + root);
    int _ = requireSuccess(call("chdir", text("/")), "entering " + root);
  }

  /** Drops all groups, and with root's user ID all capabilities. */
  void switchUser(Account account) throws IOException {
    long uid = account.uid();
    long gid = account.gid();
    String what = "switching to user " + uid + ":" + gid;
    int _ = requireSuccess(call("setgroups"), what);
    int _ = requireSuccess(call("setresgid", gid, gid, gid), what);
    int _ = requireSuccess(call("setresuid", uid, uid, uid), what);
  }

  /** From here on neither setuid programs nor file capabilities give more rights. */
  void setNoNewPrivileges() throws IOException {
    int _ = requireSuccess(call("prctl", SET_NO_NEW_PRIVS, 1), "setting no_new_privs");
  }

  /** A JVM blocks some signals in most threads; a program expects all of them unblocked. */
  void unblockSignals() throws IOException {
    MemorySegment none = arena.allocate(SIGSET_BYTES, Long.BYTES);
    int result = call("pthread_sigmask", SET_MASK, none.address());
    int _ = requireSuccess(result == 0 ? 0 : -1, "unblocking signals");
  }

  /** Returns only on an error; a script's interpreter is that of the other root. */
  void execute(Program program, int carried) throws IOException {
    long arguments = program.arguments().address();
    long environment = program.environment().address();
    int _ =
        requireSuccess(
            carried >= 0
                ? call("fexecve", carried, arguments, environment)
                : call("execve", program.file().address(), arguments, environment),
            "starting " + program.path());
  }

  private int requireSuccess(int result, String what) throws IOException {
    if (result >= 0) {
      return result;
    }
    int errno = errno();
    throw new IOException(
        what
            + switch (errno) {
              case NOT_PERMITTED -> " is not permitted";
              case NO_SUCH_FILE -> " failed: it, or its interpreter, does not exist there";
              case ACCESS_DENIED -> " failed: permission denied";
              default -> " failed with error " + errno;
            });
  }

  private int errno() {
    return (int) ERRNO.get(state, 0L);
  }
}
