package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A control group of the kernel with one controller, in version 2 of control groups or in version
 * 1.
 *
 * @param isVersion1 decides the names of its files
 */
record MeasuredGroup(Path folder, boolean isVersion1) implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  /**
   * Creates a group.
   *
   * @param controller such as cpu or memory
   * @param name a unique name
   * @throws IOException if that is not possible here; the message names what is needed
   */
  static MeasuredGroup of(String controller, String name) throws IOException {
    Path version1 = ROOT.resolve(controller);
    boolean isVersion1 = Files.isDirectory(version1);
    Path parent = isVersion1 ? version1 : ROOT;
    try {
      if (!isVersion1) {
        Files.writeString(parent.resolve("cgroup.subtree_control"), "+" + controller);
      }
      return new MeasuredGroup(Files.createDirectory(parent.resolve(name)), isVersion1);
    } catch (IOException refused) {
      throw new IOException(
          "a control group could not be made; this takes root and the %s controller below %s: %s"
              .formatted(controller, ROOT, refused),
          refused);
    }
  }

  String read(String file) throws IOException {
    return Files.readString(folder.resolve(file)).strip();
  }

  void write(String file, String value) throws IOException {
    Files.writeString(folder.resolve(file), value);
  }

  /** {@return a program that runs in the group} */
  List<String> around(List<String> program) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "echo $$ >\"$0\" && exec \"$@\"",
                folder.resolve("cgroup.procs").toString()));
    command.addAll(program);
    return command;
  }

  /** Removes the group; its processes must have ended. */
  @Override
  public void close() {
    Waiting.until(
        "the control group " + folder + " is empty",
        () -> {
          Files.delete(folder);
          return true;
        });
  }
}
