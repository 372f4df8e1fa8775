package io.probelet.web.machine;

import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Usage of mounted filesystems, each device once. A filesystem that does not answer within a second
 * blocks one thread, but no scrape; until it answers, none is shown.
 */
final class MountedDisks {
  private static final int TIMEOUT_SECONDS = 1;
  private static final int PERCENT = 100;

  private final ProcFiles proc;
  private @Nullable CompletableFuture<List<Usage>> asked;

  /** A mounted device. */
  private record Mount(String device, Path point, String type, String options) {}

  /** How full it is, in bytes. */
  private record Usage(Mount mount, double used, double free) {}

  MountedDisks(ProcFiles proc) {
    this.proc = proc;
  }

  Map<Labels, Double> bytesUsed() throws IOException {
    Map<Labels, Double> values = new LinkedHashMap<>();
    for (Usage each : usage()) {
      values.put(labels(each.mount(), "free"), each.free());
      values.put(labels(each.mount(), "used"), each.used());
    }
    return values;
  }

  Map<Labels, Double> percentUsed() throws IOException {
    Map<Labels, Double> values = new LinkedHashMap<>();
    for (Usage each : usage()) {
      double all = each.used() + each.free();
      if (all > 0) {
        values.put(Labels.of("device_name", name(each.mount())), each.used() / all * PERCENT);
      }
    }
    return values;
  }

  private static Labels labels(Mount mount, String state) {
    return Labels.of(
        "device_name",
        name(mount),
        "fs_type",
        mount.type(),
        "mount_option",
        mount.options(),
        "state",
        state);
  }

  private static String name(Mount mount) {
    return mount.device().startsWith("/dev/")
        ? mount.device().substring("/dev/".length())
        : mount.device();
  }

  /** {@return the devices that are mounted} */
  List<String> devices() throws IOException {
    return mounts().stream().map(Mount::device).toList();
  }

  private List<Mount> mounts() throws IOException {
    Set<String> virtual = new HashSet<>();
    for (String line : proc.lines("filesystems")) {
      if (line.startsWith("nodev")) {
        virtual.add(line.substring("nodev".length()).strip());
      }
    }
    Map<String, Mount> first = new LinkedHashMap<>();
    for (String line : proc.lines("self/mounts")) {
      String[] words = ProcFiles.words(line);
      if (!virtual.contains(words[2])) {
        first.putIfAbsent(
            words[0], new Mount(words[0], Path.of(unescaped(words[1])), words[2], words[3]));
      }
    }
    return List.copyOf(first.values());
  }

  /** The kernel writes blanks, tabs, newlines and backslashes in octal. */
  private static String unescaped(String path) {
    return path.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }

  private synchronized List<Usage> usage() throws IOException {
    CompletableFuture<List<Usage>> answer = asked;
    if (answer == null) {
      List<Mount> mounts = mounts();
      CompletableFuture<List<Usage>> fresh = new CompletableFuture<>();
      // Asking a filesystem holds the carrier of a virtual thread.
      Thread.ofPlatform()
          .daemon()
          .name("disk-usage")
          .start(() -> fresh.complete(mounts.stream().flatMap(MountedDisks::usage).toList()));
      answer = fresh;
    }
    asked = answer;
    try {
      List<Usage> usage = answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      asked = null;
      return usage;
    } catch (TimeoutException hung) {
      throw new IOException("a filesystem does not answer", hung);
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause());
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", hurry);
    }
  }

  private static Stream<Usage> usage(Mount mount) {
    try {
      FileStore store = Files.getFileStore(mount.point());
      return Stream.of(
          new Usage(
              mount,
              (double) store.getTotalSpace() - store.getUnallocatedSpace(),
              store.getUsableSpace()));
    } catch (IOException gone) { // or not for us to see
      return Stream.empty();
    }
  }
}
