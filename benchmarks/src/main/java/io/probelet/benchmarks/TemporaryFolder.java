package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Folders of a benchmark. The JVM deletes them at its end, also after a failure or a signal. */
final class TemporaryFolder {
  private TemporaryFolder() {}

  /** {@return a new, empty folder} */
  static Path create() throws IOException {
    Path folder = Files.createTempDirectory("probelet-bench");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    return folder;
  }

  /** Deletes a folder as far as possible; programs that still run may write to it. */
  static void delete(Path folder) {
    try {
      Files.walkFileTree(folder, new Deletion());
    } catch (IOException unable) {
      System.err.println("cannot delete " + unable.getMessage());
    }
  }

  /** Follows no links. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed)
        throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
