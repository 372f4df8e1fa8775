package io.probelet.runtime.evidence;

import io.probelet.probe.file.SmallFile;
import io.probelet.probe.runtime.ContainerEvidence;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the TCP ports on which processes listen. In a network of their own each listener is theirs
 * or their pod's. In the node's network only those sockets count that they have open.
 */
record ListeningPorts(Path proc, int maxFiles) {
  /** Most open files that are looked at, of all processes together. */
  private static final int MAX_FILES = 16 << 10;

  private static final String LISTEN = "0A";
  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final int HEX = 16;

  /** A socket that listens. */
  private record Listener(int port, String inode) {}

  ListeningPorts(Path proc) {
    this(proc, MAX_FILES);
  }

  /** {@return the ports in ascending order; empty if they cannot be read} */
  Optional<List<Integer>> of(List<Long> pids) {
    for (long pid : pids) {
      Path network = process(pid).resolve("net");
      Optional<List<Listener>> listeners = listeners(network);
      if (listeners.isPresent()) {
        return shared(network) ? owned(pids, listeners.get()) : Optional.of(ports(listeners.get()));
      }
    }
    return Optional.empty();
  }

  private Path process(long pid) {
    return proc.resolve(Long.toString(pid));
  }

  private static Optional<List<Listener>> listeners(Path network) {
    Optional<List<Listener>> all =
        KernelText.start(network.resolve("tcp")).flatMap(ListeningPorts::parse);
    Path six = network.resolve("tcp6");
    if (all.isEmpty() || !Files.exists(six)) {
      return all;
    }
    return KernelText.start(six)
        .flatMap(ListeningPorts::parse)
        .map(more -> {
          List<Listener> both = new ArrayList<>(all.get());
          both.addAll(more);
          return both;
        });
  }

  /**
   * {@return the listeners of a table; empty if there may be more than were read}
   *
   * <p>The kernel lists all listeners first, so what follows another socket need not be read.
   */
  private static Optional<List<Listener>> parse(String table) {
    List<Listener> listeners = new ArrayList<>();
    int end = table.lastIndexOf('\n') + 1; // an unfinished line does not count
    for (String line : table.substring(0, end).lines().skip(1).toList()) {
      String[] words = line.strip().split(" +", -1);
      if (words.length <= INODE) {
        return Optional.empty();
      }
      if (!words[STATE].equals(LISTEN)) {
        return Optional.of(listeners);
      }
      String address = words[LOCAL_ADDRESS];
      try {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), HEX);
        listeners.add(new Listener(port, words[INODE]));
      } catch (NumberFormatException unexpected) {
        return Optional.empty();
      }
    }
    return end == table.length() && table.length() < SmallFile.MAX_BYTES
        ? Optional.of(listeners)
        : Optional.empty();
  }

  /** {@return whether it is the network of this process or of the node; true if that is unknown} */
  private boolean shared(Path network) {
    Optional<Object> key = key(network);
    return key.isEmpty()
        || key.equals(key(proc.resolve("self/net")))
        || key.equals(key(proc.resolve("1/net")));
  }

  /** Each network has a table of its own, which anyone may look at, unlike the link in ns/net. */
  private static Optional<Object> key(Path network) {
    try {
      return Optional.ofNullable(
          Files.readAttributes(network.resolve("tcp"), BasicFileAttributes.class).fileKey());
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  private Optional<List<Integer>> owned(List<Long> pids, List<Listener> listeners) {
    if (listeners.isEmpty()) {
      return Optional.of(List.of());
    }
    Set<String> open = new HashSet<>();
    int files = 0;
    for (long pid : pids) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(process(pid).resolve("fd"))) {
        for (Path each : all) {
          if (++files > maxFiles) {
            return Optional.empty();
          }
          link(each).ifPresent(open::add);
        }
      } catch (NoSuchFileException | DirectoryIteratorException ended) {
        // and its files are closed
      } catch (IOException denied) {
        if (TaskStat.of(process(pid)).filter(stat -> !stat.isZombie()).isPresent()) {
          return Optional.empty();
        }
      }
    }
    if (open.isEmpty()) {
      return Optional.empty(); // all ended meanwhile, which is not the same as no listener
    }
    return Optional.of(
        ports(
            listeners.stream()
                .filter(each -> open.contains("socket:[" + each.inode() + "]"))
                .toList()));
  }

  private static Optional<String> link(Path file) {
    try {
      return Optional.of(Files.readSymbolicLink(file).toString());
    } catch (IOException closed) {
      return Optional.empty();
    }
  }

  private static List<Integer> ports(List<Listener> listeners) {
    return listeners.stream()
        .map(Listener::port)
        .distinct()
        .sorted()
        .limit(ContainerEvidence.MAX_PORTS)
        .toList();
  }
}
