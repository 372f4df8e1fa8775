package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The namespaces and names of the node's pods by uid, from the names of their log folders. */
final class PodNames {
  private static final Path LOGS = Path.of("/var/log/pods");

  /** Further pods are shown by uid only. A node has some hundreds. */
  private static final int MAX_FOLDERS = 10_000;

  /** Only names valid for the API server are shown. */
  private static final Pattern FOLDER =
      Pattern.compile("([a-z0-9][a-z0-9-]{0,62})_([a-z0-9][a-z0-9.-]{0,252})_([0-9a-f-]{32,36})");

  private final Map<String, String> names;

  private PodNames(Map<String, String> names) {
    this.names = names;
  }

  /** Reads the names. Failure is not an error, since the uid is known anyway. */
  static PodNames read(Machine machine) {
    Map<String, String> names = new HashMap<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(machine.seen(LOGS))) {
      int seen = 0;
      for (Path folder : folders) {
        if (++seen > MAX_FOLDERS) {
          break;
        }
        Matcher name = FOLDER.matcher(String.valueOf(folder.getFileName()));
        if (name.matches()) {
          names.put(name.group(3), name.group(1) + "/" + name.group(2));
        }
      }
    } catch (IOException | DirectoryIteratorException unreadable) {
      return new PodNames(names);
    }
    return new PodNames(names);
  }

  /** The description of a pod. */
  String of(String uid) {
    String name = names.get(uid);
    return name == null ? "pod with uid " + uid : "pod " + name + " (uid " + uid + ")";
  }
}
