package io.probelet.monitor.check;

import io.probelet.health.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** A node made of files in a folder and fake kernel answers. */
public final class PretendedNode implements Kernel {
  public static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final Path root;
  final Map<Path, Room> rooms = new HashMap<>();
  final Map<Path, String> filesystems = new HashMap<>();
  final Set<Path> shutDown = new HashSet<>();
  PretendedCpus cpus = new PretendedCpus(4);
  ManualClock time = new ManualClock(NOW);
  ClockState clock = new ClockState(true, Duration.ZERO);
  Duration awake = Duration.ofSeconds(100);
  Optional<RuntimeQuery> runtime = Optional.empty();

  public PretendedNode(Path root) {
    this.root = root;
  }

  /** Writes a file of the node. */
  public PretendedNode file(String path, String content) {
    try {
      Path file = seen(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
      return this;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  public Path seen(String path) {
    return root.resolve(path.substring(1));
  }

  public Machine machine() {
    return new Machine(
        root,
        root.resolve("proc"),
        root.resolve("sys"),
        root.resolve("state"),
        this,
        runtime,
        time,
        new Random(1));
  }

  @Override
  public Room room(Path mount) throws IOException {
    Room room = rooms.get(mount);
    if (room == null) {
      throw new IOException("no filesystem at " + mount);
    }
    return room;
  }

  @Override
  public String filesystem(Path folder) {
    return filesystems.getOrDefault(folder, "ext4");
  }

  @Override
  public boolean opens(Path file) {
    return !shutDown.contains(file);
  }

  @Override
  public Cpus cpus() {
    return cpus;
  }

  @Override
  public ClockState clock() {
    return clock;
  }

  @Override
  public Duration awake() {
    return awake;
  }
}
