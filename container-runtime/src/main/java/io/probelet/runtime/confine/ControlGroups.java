package io.probelet.runtime.confine;

import io.probelet.health.FailureReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates control groups below Probelet's own, if permitted: version 2 if its group was delegated
 * to it, version 1 if it may write there. It changes nothing before the first limit is requested.
 */
public final class ControlGroups {
  private static final Logger LOG = LoggerFactory.getLogger(ControlGroups.class);
  private static final String PREFIX = "probelet-";
  private static final String MEMORY = "memory";
  private static final String CPU = "cpu";

  private final Path proc;
  private final long self;
  private final AtomicLong made = new AtomicLong();

  // Both are found once and then kept.
  private @Nullable Map<String, OwnGroup> parents;
  private final Map<String, String> problems = new TreeMap<>();

  /** Creates the control groups of this process. */
  public ControlGroups() {
    this(Path.of("/proc/self"), ProcessHandle.current().pid());
  }

  ControlGroups(Path proc, long self) {
    this.proc = proc;
    this.self = self;
  }

  /**
   * Checks whether limits can be enforced.
   *
   * @return why not; empty if they can
   */
  public Optional<String> shortfall(Limits limits) {
    Map<String, OwnGroup> found = parents();
    return controllers(limits)
        .filter(controller -> !found.containsKey(controller))
        .map(controller -> controller + ": " + problem(controller))
        .findFirst();
  }

  /**
   * Creates a group.
   *
   * @param limits the limits of all its members together
   * @return the empty group, to be closed by the caller
   * @throws IOException if it cannot be created
   */
  public ControlGroup create(Limits limits) throws IOException {
    Map<String, OwnGroup> found = parents();
    String name = PREFIX + self + "-" + made.incrementAndGet();
    ControlGroup group = new ControlGroup();
    try {
      Long memory = limits.memoryBytes();
      if (memory != null) {
        OwnGroup parent = parent(found, MEMORY);
        group.make(parent.directory().resolve(name), ControlGroup.memory(memory, parent.unified()));
      }
      Long cpu = limits.cpuMillis();
      if (cpu != null) {
        OwnGroup parent = parent(found, CPU);
        group.make(parent.directory().resolve(name), ControlGroup.cpu(cpu, parent.unified()));
      }
      return group;
    } catch (IOException failed) {
      group.close();
      throw failed;
    }
  }

  private OwnGroup parent(Map<String, OwnGroup> found, String controller) throws IOException {
    OwnGroup parent = found.get(controller);
    if (parent == null) {
      throw new IOException(controller + ": " + problem(controller));
    }
    return parent;
  }

  private static Stream<String> controllers(Limits limits) {
    Stream.Builder<String> needed = Stream.builder();
    if (limits.memoryBytes() != null) {
      needed.add(MEMORY);
    }
    if (limits.cpuMillis() != null) {
      needed.add(CPU);
    }
    return needed.build();
  }

  private synchronized String problem(String controller) {
    return problems.getOrDefault(
        controller, "this machine has no control group for it that Probelet can use");
  }

  private synchronized Map<String, OwnGroup> parents() {
    if (parents == null) {
      parents = find();
      parents.values().stream().map(OwnGroup::directory).distinct().forEach(this::removeLeftovers);
    }
    return parents;
  }

  private Map<String, OwnGroup> find() {
    Map<String, OwnGroup> found = new TreeMap<>();
    try {
      for (OwnGroup own : OwnGroup.all(proc)) {
        for (String controller : List.of(MEMORY, CPU)) {
          if (own.offers(controller) && !found.containsKey(controller)) {
            try {
              own.prepare(controller, self);
              found.put(controller, own);
            } catch (IOException unable) {
              problems.putIfAbsent(controller, unable.getMessage());
            }
          }
        }
      }
    } catch (IOException unreadable) {
      LOG.warn("cannot find control groups: {}", FailureReason.withFile(unreadable));
    }
    return found;
  }

  /** A killed agent could not remove its own groups. */
  private void removeLeftovers(Path parent) {
    List<Path> left = new ArrayList<>();
    try (DirectoryStream<Path> ours = Files.newDirectoryStream(parent, PREFIX + "*-*")) {
      ours.forEach(left::add);
      for (Path each : left) {
        String pid = each.getFileName().toString().substring(PREFIX.length()).split("-", 2)[0];
        if (pid.matches("[0-9]{1,10}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
          Files.deleteIfExists(each);
        }
      }
    } catch (IOException inUse) {
      LOG.debug("cannot remove an old control group: {}", FailureReason.withFile(inUse));
    }
  }

  static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.US_ASCII).strip();
  }
}
