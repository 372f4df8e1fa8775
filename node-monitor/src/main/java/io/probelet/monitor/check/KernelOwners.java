package io.probelet.monitor.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the largest users of limited kernel resources (B-22). */
final class KernelOwners {
  /** The same limit as in the inotify check. */
  private static final int MAX_FILES = 200_000;

  private static final int MAX_CONNECTIONS = 500_000;
  private static final Duration LONGEST = Duration.ofSeconds(2);

  /** The first address of an entry is the source of the connection. */
  private static final Pattern SOURCE = Pattern.compile(" src=([0-9a-f.:]{2,45}) ");

  private static final int BUFFER_BYTES = 64 << 10;

  private KernelOwners() {}

  /** The largest owner of processes and threads. */
  static String ofThreads(Machine machine) throws IOException {
    machine.requireNodeView("processes");
    Owners owners = new Owners(machine);
    boolean all =
        NodeProcesses.each(
            machine,
            process -> {
              long threads =
                  NodeProcesses.stat(process).map(NodeProcesses.Stat::threads).orElse(0L);
              if (threads > 0) {
                owners.add(owners.of(process), threads);
              }
              return true;
            });
    return largest(owners, all, "them");
  }

  /** The largest owner of open files. */
  static String ofFiles(Machine machine) throws IOException {
    machine.requireNodeView("processes");
    Owners owners = new Owners(machine);
    long[] listed = {0};
    boolean all =
        NodeProcesses.each(
            machine,
            process -> {
              long files = files(process.resolve("fd"), MAX_FILES - listed[0], owners);
              listed[0] += files;
              if (files > 0) {
                owners.add(owners.of(process), files);
              }
              return listed[0] < MAX_FILES;
            });
    return largest(owners, all, "them");
  }

  /** Since Linux 6.2 the folder's size is the number of files in it. */
  private static long files(Path folder, long most, Owners owners) {
    try {
      long size = Files.size(folder);
      if (size > 0) {
        return size;
      }
    } catch (IOException ended) {
      return 0;
    }
    long count = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path _ : files) {
        if (++count >= most) {
          break;
        }
      }
    } catch (IOException | DirectoryIteratorException hidden) {
      owners.partial();
    }
    return count;
  }

  /** The largest source of tracked connections. */
  static String ofConnections(Machine machine) throws IOException {
    Owners owners = new Owners(machine);
    long start = machine.time().nanoTime();
    boolean all = true;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Files.newInputStream(machine.proc().resolve("1/net/nf_conntrack")),
                StandardCharsets.US_ASCII),
            BUFFER_BYTES)) {
      int count = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (++count > MAX_CONNECTIONS
            || machine.time().nanoTime() - start > LONGEST.toNanos()
            || Thread.currentThread().isInterrupted()) {
          all = false;
          break;
        }
        Matcher source = SOURCE.matcher(line);
        owners.add(source.find() ? new Owner.Address(source.group(1)) : Owner.UNKNOWN, 1);
      }
    }
    return largest(owners, all, "them");
  }

  private static String largest(Owners owners, boolean all, String what) {
    if (!all) {
      owners.partial();
    }
    return owners.largest(what);
  }
}
