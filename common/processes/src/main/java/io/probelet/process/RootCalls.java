package io.probelet.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
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

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** Allocated until the process becomes another program. */
  private final Arena arena = Arena.global();

  private final MemorySegment state = arena.allocate(CALL_STATE);
  private final MethodHandle open = variadic("open", 2, ADDRESS, JAVA_INT);
  private final MethodHandle fcntl = variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT);
  private final MethodHandle setsid = of("setsid");
  private final MethodHandle chroot = of("chroot", ADDRESS);
  private final MethodHandle chdir = of("chdir", ADDRESS);
  private final MethodHandle setgroups = of("setgroups", JAVA_LONG, ADDRESS);
  private final MethodHandle setresgid = of("setresgid", JAVA_INT, JAVA_INT, JAVA_INT);
  private final MethodHandle setresuid = of("setresuid", JAVA_INT, JAVA_INT, JAVA_INT);
  private final MethodHandle prctl =
      variadic("prctl", 1, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private final MethodHandle sigmask = of("pthread_sigmask", JAVA_INT, ADDRESS, ADDRESS);
  private final MethodHandle execve = of("execve", ADDRESS, ADDRESS, ADDRESS);
  private final MethodHandle fexecve = of("fexecve", JAVA_INT, ADDRESS, ADDRESS);

  /** The program to become. */
  record Program(
      String path, MemorySegment file, MemorySegment arguments, MemorySegment environment) {}

  @SuppressWarnings("restricted") // native calls
  private static MethodHandle of(String name, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(JAVA_INT, arguments),
        Linker.Option.captureCallState("errno"));
  }

  @SuppressWarnings("restricted") // native calls
  private static MethodHandle variadic(String name, int fixed, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(JAVA_INT, arguments),
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(fixed));
  }

  /** Opens a file that stays open when the process becomes another program. */
  int open(String path) throws IOException {
    try {
      return requireSuccess(
          (int) open.invokeExact(state, arena.allocateFrom(path), READ_ONLY), "opening " + path);
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** Not an error if it is already closed. */
  void closeAtExec(int file) {
    try {
      int _ = (int) fcntl.invokeExact(state, file, SET_FLAGS, CLOSE_ON_EXEC);
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
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
    try {
      int _ = requireSuccess((int) setsid.invokeExact(state), "starting a session");
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  void enter(String root) throws IOException {
    try {
      int entered = (int) chroot.invokeExact(state, arena.allocateFrom(root));
      if (entered != 0 && errno() == NOT_PERMITTED) {
        throw new IOException(
            "entering " + root + " is not permitted; requires root with CAP_SYS_CHROOT");
      }
      int _ = requireSuccess(entered, "entering " + root);
      int _ =
          requireSuccess(
              (int) chdir.invokeExact(state, arena.allocateFrom("/")), "entering " + root);
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** Drops all groups, and with root's user ID all capabilities. */
  void switchUser(Account account) throws IOException {
    int uid = (int) account.uid();
    int gid = (int) account.gid();
    String what = "switching to user " + account.uid() + ":" + account.gid();
    try {
      int _ = requireSuccess((int) setgroups.invokeExact(state, 0L, MemorySegment.NULL), what);
      int _ = requireSuccess((int) setresgid.invokeExact(state, gid, gid, gid), what);
      int _ = requireSuccess((int) setresuid.invokeExact(state, uid, uid, uid), what);
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** From here on neither setuid programs nor file capabilities give more rights. */
  void setNoNewPrivileges() throws IOException {
    try {
      int result = (int) prctl.invokeExact(state, SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
      int _ = requireSuccess(result, "setting no_new_privs");
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** A JVM blocks some signals in most threads; a program expects all of them unblocked. */
  void unblockSignals() throws IOException {
    try {
      MemorySegment none = arena.allocate(SIGSET_BYTES, Long.BYTES);
      int result = (int) sigmask.invokeExact(state, SET_MASK, none, MemorySegment.NULL);
      int _ = requireSuccess(result == 0 ? 0 : -1, "unblocking signals");
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** Returns only on an error; a script's interpreter is that of the other root. */
  void execute(Program program, int carried) throws IOException {
    try {
      int _ =
          requireSuccess(
              carried >= 0
                  ? (int)
                      fexecve.invokeExact(
                          state, carried, program.arguments(), program.environment())
                  : (int)
                      execve.invokeExact(
                          state, program.file(), program.arguments(), program.environment()),
              "starting " + program.path());
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
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

  private static AssertionError broken(Throwable impossible) {
    return new AssertionError("unexpected exception from a C library call", impossible);
  }
}
