package io.probelet.monitor.check;

import io.probelet.health.TimeSource;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The machine as checks see it: folders, system calls, runtime and time.
 *
 * @param root the node's root directory: {@code /}, or a mount in a container
 * @param kernel system calls
 * @param runtime the container runtime; empty if there is none
 * @param random generates query IDs; used by several threads
 */
public record Machine(
    Path root,
    Path proc,
    Path sys,
    Path stateFolder,
    Kernel kernel,
    Optional<RuntimeQuery> runtime,
    TimeSource time,
    RandomGenerator random) {
  private static final Path HERE = Path.of("/");

  /** The inode of the initial process namespace. */
  private static final String FIRST_NAMESPACE = "pid:[4026531836]";

  /**
   * {@return the machine this program runs on}
   *
   * @param runtime the container runtime; empty if there is none
   * @param random generates query IDs; used by several threads
   */
  public static Machine of(
      Path root,
      Path stateFolder,
      Optional<RuntimeQuery> runtime,
      TimeSource time,
      RandomGenerator random) {
    return new Machine(
        root,
        root.resolve("proc"),
        root.resolve("sys"),
        stateFolder,
        new LibC(),
        runtime,
        time,
        random);
  }

  /**
   * {@return the path here of a path of the node, with links resolved as on the node}
   *
   * @param path an absolute path of the node
   */
  public Path seen(Path path) {
    return root.equals(HERE) ? path : RootedPath.of(root, path);
  }

  /**
   * Rejects a container's own view of processes and mounts.
   *
   * @throws IOException if only this program's own container is visible, or nothing at all
   */
  public void requireNodeView(String what) throws IOException {
    // An empty folder in place of /proc would show no zombies and no full disks.
    if (!Files.exists(proc.resolve("1"))) {
      throw new UnavailableException(
          Obstacle.NOT_THERE,
          proc + " does not show the node: process 1 is missing or hidden from this user");
    }
    Path namespace = proc.resolve("self/ns/pid");
    if (root.equals(HERE)
        && Files.isSymbolicLink(namespace)
        && !Files.readSymbolicLink(namespace).toString().equals(FIRST_NAMESPACE)) {
      throw new UnavailableException(
          Obstacle.OWN_CONTAINER,
          "only the container's own "
              + what
              + " are visible; requires hostPID: true or --host-root");
    }
  }

  /**
   * Rejects a container's own filesystem.
   *
   * @throws IOException if only this program's own container is visible
   */
  public void requireNodeFiles() throws IOException {
    requireNodeView("files");
    if (root.equals(HERE)
        && !Mounts.rootDevice(this, "self").equals(Mounts.rootDevice(this, "1"))) {
      throw new UnavailableException(
          Obstacle.OWN_CONTAINER,
          "only the container's own files are visible; requires --host-root");
    }
  }
}
