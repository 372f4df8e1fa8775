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
 * Where checks find what they read.
 *
 * @param root where the node's filesystem is seen: {@code /}, or a mount in a container
 * @param kernel answers what no file says
 * @param runtime asks the container runtime; empty where there is none
 * @param random numbers what is asked; used by several threads
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

  /** The number of the process namespace that is there from the boot on. */
  private static final String FIRST_NAMESPACE = "pid:[4026531836]";

  /**
   * {@return the machine this program runs on}
   *
   * @param runtime asks the container runtime; empty where there is none
   * @param random numbers what is asked; used by several threads
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
   * {@return where a path of the node is seen from here, its links followed as the node does}
   *
   * @param path an absolute path of the node
   */
  public Path seen(Path path) {
    return root.equals(HERE) ? path : RootedPath.of(root, path);
  }

  /**
   * Refuses to take a container's own view for the node's.
   *
   * @throws IOException if this program sees its own container only, or nothing at all
   */
  public void demandView(String what) throws IOException {
    // An empty folder in which /proc should be has no dead processes, and no full disks.
    if (!Files.exists(proc.resolve("1"))) {
      throw new UnavailableException(
          Obstacle.NOT_THERE,
          proc + " is not the node's: it has no process 1, or hides it from this user");
    }
    Path namespace = proc.resolve("self/ns/pid");
    if (root.equals(HERE)
        && Files.isSymbolicLink(namespace)
        && !Files.readSymbolicLink(namespace).toString().equals(FIRST_NAMESPACE)) {
      throw new UnavailableException(
          Obstacle.OWN_CONTAINER,
          "sees the "
              + what
              + " of its own container only; it takes hostPID: true, or --host-root");
    }
  }

  /**
   * Refuses to take the files of a container's own filesystem for the node's.
   *
   * @throws IOException if this program sees its own container's only
   */
  public void demandFiles() throws IOException {
    demandView("files");
    if (root.equals(HERE)
        && !Mounts.rootDevice(this, "self").equals(Mounts.rootDevice(this, "1"))) {
      throw new UnavailableException(
          Obstacle.OWN_CONTAINER, "sees the files of its own container only; it takes --host-root");
    }
  }
}
