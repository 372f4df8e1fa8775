package io.probelet.monitor.source;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The rotated files of a log, in the same folder. */
final class RotatedFiles {
  /** The suffix: a number or a date, and a compression format. */
  private static final Pattern SUFFIX = Pattern.compile("[.-][0-9][0-9T_-]*(\\.[a-z0-9]{1,4})?");

  private final Path path;

  RotatedFiles(Path path) {
    this.path = path;
  }

  /** {@return the identity of the file with that name; empty between two files} */
  Optional<String> keyNow() throws IOException {
    try {
      return Optional.of(TailedFile.key(path));
    } catch (NoSuchFileException betweenTwoFiles) {
      return Optional.empty();
    }
  }

  /** {@return the current name of a file} */
  Optional<Path> find(String key) throws IOException {
    if (keyNow().filter(key::equals).isPresent()) {
      return Optional.of(path);
    }
    return beside().stream().filter(sibling -> isCalled(sibling, key)).findFirst();
  }

  /** {@return the files that had the name after a given file, but no longer have it} */
  List<Path> after(Path before) throws IOException {
    FileTime end = Files.getLastModifiedTime(before);
    String name = String.valueOf(path.getFileName());
    List<Path> later = new ArrayList<>();
    for (Path sibling : beside()) {
      String suffix = String.valueOf(sibling.getFileName()).substring(name.length());
      if (SUFFIX.matcher(suffix).matches()
          && !sibling.equals(before)
          && Files.isRegularFile(sibling)
          && Files.getLastModifiedTime(sibling).compareTo(end) > 0) {
        later.add(sibling);
      }
    }
    return later;
  }

  private List<Path> beside() throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    String name = String.valueOf(path.getFileName());
    List<Path> found = new ArrayList<>();
    if (directory == null || !Files.isDirectory(directory)) {
      return found;
    }
    try (DirectoryStream<Path> siblings =
        Files.newDirectoryStream(
            directory, each -> String.valueOf(each.getFileName()).startsWith(name))) {
      siblings.forEach(found::add);
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    return found;
  }

  private static boolean isCalled(Path sibling, String key) {
    try {
      return TailedFile.key(sibling).equals(key);
    } catch (IOException vanished) { // files may be rotated and removed during the read
      return false;
    }
  }
}
