package io.probelet.manifest.annotation;

import io.probelet.document.field.Field;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where files in a probe's TLS settings are. */
public sealed interface TlsFiles {
  /** The pod runs here: files must exist, and relative names start at a directory. */
  record Here(Path directory) implements TlsFiles {}

  /** The pod runs on some node: files are on that node, so names must be absolute. */
  record OnTheNode() implements TlsFiles {}

  /**
   * Reads the name of a file.
   *
   * @return the file, null if there is none or it is invalid
   */
  default @Nullable Path read(Field field) {
    String name = field.text();
    if (name == null) {
      return null;
    }
    Path file = parsed(field, name);
    if (file == null) {
      return null;
    }
    return switch (this) {
      case OnTheNode _ -> {
        if (!file.isAbsolute()) {
          field.invalid("must be an absolute path, on the node");
        }
        yield file;
      }
      case Here(Path directory) -> {
        Path resolved = directory.resolve(file).normalize();
        if (!Files.isRegularFile(resolved)) {
          field.invalid("no such file: " + resolved);
        } else if (!Files.isReadable(resolved)) {
          field.invalid("not allowed to read " + resolved);
        }
        yield resolved;
      }
    };
  }

  private static @Nullable Path parsed(Field field, String name) {
    if (name.isEmpty()) {
      field.invalid("must name a file");
      return null;
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      field.invalid("must name a file: " + e.getReason());
      return null;
    }
  }
}
