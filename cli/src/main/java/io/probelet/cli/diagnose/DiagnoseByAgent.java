package io.probelet.cli.diagnose;

import io.probelet.agent.config.StateFolder;
import io.probelet.agent.diagnose.EvidenceRoute;
import io.probelet.health.FailureReason;
import io.probelet.health.PrivateFiles;
import io.probelet.monitor.evidence.EvidenceBundle;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code probelet diagnose} by the running agent (ACT-108). Used before the command line is read,
 * it needs half the memory: in an agent's container the two share one limit.
 *
 * @param reason the reason to note in the archive
 * @param hostRoot where the node's root directory must be mounted; null for where the agent has it
 * @param output where the archive is written; null if the agent keeps it
 */
public record DiagnoseByAgent(String reason, @Nullable Path hostRoot, @Nullable Path output) {
  static final String BY_HAND = "by hand";

  static final Path STANDARD_OUTPUT = Path.of("-");

  private static final int OK = 0;
  private static final int NOT_KEPT = 1;
  private static final long MAX_CONFIGURATION_BYTES = 1 << 20;

  /** Sockets on which no agent answered: {@link #quickly} is followed by the whole command. */
  private static final Set<Path> SILENT = ConcurrentHashMap.newKeySet();

  /**
   * Carries out the program's arguments if they are those of {@code diagnose} with no other options
   * than archive, reason and host root, and if an agent answers.
   *
   * @return the exit code; empty if the command line is to be read as usual
   */
  public static OptionalInt quickly(String[] args, Map<String, String> environment) {
    if (args.length == 0 || !args[0].equals("diagnose") || mayBeElsewhere(environment)) {
      return OptionalInt.empty();
    }
    try {
      String reason = BY_HAND;
      Path root = null;
      Path output = null;
      for (int i = 1; i < args.length; i++) {
        int equals = args[i].indexOf('=');
        if (equals < 0 && ++i == args.length) {
          return OptionalInt.empty();
        }
        String option = equals < 0 ? args[i - 1] : args[i].substring(0, equals);
        String value = equals < 0 ? args[i] : args[i].substring(equals + 1);
        switch (option) {
          case "--reason" -> reason = value;
          case "--host-root" -> root = Path.of(value);
          case "--archive" -> output = Path.of(value);
          default -> {
            return OptionalInt.empty();
          }
        }
      }
      requireFolder(output);
      return new DiagnoseByAgent(reason, root, output)
          .run(StateFolder.of(environment), writer(System.out), writer(System.err));
    } catch (IllegalArgumentException wrong) {
      return OptionalInt.empty(); // the command line reports it
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return OptionalInt.of(NOT_KEPT);
    }
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, false, stream.charset());
  }

  /** Only a configuration file can name another state folder; reading it takes a library. */
  private static boolean mayBeElsewhere(Map<String, String> environment) {
    String file = environment.getOrDefault("PROBELET_CONFIG", "");
    if (file.isEmpty()) {
      return false;
    }
    try {
      Path path = Path.of(file);
      return Files.size(path) > MAX_CONFIGURATION_BYTES
          || Files.readString(path, StandardCharsets.UTF_8).contains("stateFolder");
    } catch (IOException | IllegalArgumentException unreadable) {
      return true;
    }
  }

  /**
   * Asks the agent.
   *
   * @return the exit code; empty if no agent answers, which is printed if one should
   */
  OptionalInt run(Path stateFolder, PrintWriter out, PrintWriter err) throws InterruptedException {
    AgentEvidence agent = new AgentEvidence(stateFolder.resolve(EvidenceRoute.SOCKET));
    if (SILENT.contains(agent.socket()) || !agent.exists()) {
      return OptionalInt.empty();
    }
    AgentEvidence.Collected collected;
    try {
      collected = agent.collect(reason, hostRoot, output == null);
    } catch (AgentEvidence.BusyException busy) {
      err.println("probelet diagnose: " + busy.getMessage());
      err.flush();
      return OptionalInt.of(NOT_KEPT);
    } catch (IOException silent) {
      SILENT.add(agent.socket());
      err.println(
          "probelet diagnose: no evidence from the agent: "
              + silent.getMessage()
              + "; collecting without it");
      err.flush();
      return OptionalInt.empty();
    }
    EvidenceBundle bundle = collected.bundle();
    if (output != null) {
      try {
        bundle = bundle.savedAt(write(output, collected.archive()));
      } catch (IOException unable) {
        err.println("probelet diagnose: not saved: " + FailureReason.withFile(unable));
        err.flush();
        bundle = bundle.savedAt(null);
      }
    }
    return OptionalInt.of(print(STANDARD_OUTPUT.equals(output) ? err : out, bundle));
  }

  /** Checked first: a mistyped path creates no folders and wastes no time. */
  static void requireFolder(@Nullable Path file) {
    if (file == null || file.equals(STANDARD_OUTPUT)) {
      return;
    }
    if (file.toString().isEmpty()) {
      throw new IllegalArgumentException(
          "--archive is empty; name a file, or - for standard output");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IllegalArgumentException("--archive " + file + ": its folder does not exist");
    }
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException("--archive " + file + " is a folder; name a file");
    }
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException(
          "--archive "
              + file
              + " is a link, a pipe or a device; name a file, or - for standard output");
    }
  }

  static Path write(Path file, byte[] archive) throws IOException {
    if (file.equals(STANDARD_OUTPUT)) {
      // System.out would hide that the disk is full
      try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
        out.write(archive);
      }
    } else {
      PrivateFiles.replace(file, archive);
    }
    return file;
  }

  /** {@return the exit code} */
  static int print(PrintWriter out, EvidenceBundle bundle) {
    bundle.digest().forEach(out::println);
    Path path = bundle.path();
    out.println(
        (path == null ? bundle.name() : path)
            + ": "
            + bundle.bytes()
            + " bytes, sha-256 "
            + bundle.sha256());
    out.flush();
    return path == null ? NOT_KEPT : OK;
  }
}
