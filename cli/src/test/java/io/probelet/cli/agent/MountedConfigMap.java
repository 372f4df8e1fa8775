package io.probelet.cli.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * A ConfigMap with one file, as a kubelet mounts it: the file is a link through {@code ..data},
 * which is moved to a new folder with every change.
 */
final class MountedConfigMap {
  private final Path folder;
  private final String name;
  private int versions;

  MountedConfigMap(Path folder, String name, String text) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.name = name;
    change(text);
    Files.createSymbolicLink(file(), Path.of("..data", name));
  }

  Path file() {
    return folder.resolve(name);
  }

  void change(String text) throws IOException {
    Path before = folder.resolve("..version-" + versions);
    Path next = Files.createDirectory(folder.resolve("..version-" + ++versions));
    Files.writeString(next.resolve(name), text);
    Path link = folder.resolve("..data_tmp");
    Files.createSymbolicLink(link, next.getFileName());
    Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    if (Files.exists(before)) {
      try (Stream<Path> old = Files.list(before)) {
        for (Path file : old.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(before);
    }
  }
}
