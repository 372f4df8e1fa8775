package io.probelet.monitor.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads generated kernel files and small files of the node. */
final class KernelFiles {
  /** Per file; the size of some depends on others' activity on the node. */
  static final int MAX_BYTES = 256 << 10;

  private KernelFiles() {}

  /**
   * Reads a file.
   *
   * @throws IOException if that is not possible; the message is for the user
   */
  static List<String> lines(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).lines().toList();
    } catch (NoSuchFileException absent) {
      throw new IOException(file + " does not exist", absent);
    } catch (AccessDeniedException denied) {
      throw new IOException(file + ": permission denied", denied);
    } catch (IOException failed) {
      throw new IOException(file + ": " + failed.getMessage(), failed);
    }
  }

  /** Copies a file to the output, or records that it cannot be read; returns its content. */
  static List<String> copy(Path file, EvidenceOutput out) {
    try {
      List<String> lines = lines(file);
      out.line("== " + file);
      for (String line : lines) {
        out.line(line);
      }
      return lines;
    } catch (IOException unreadable) {
      out.missing(String.valueOf(unreadable.getMessage()));
      return List.of();
    }
  }
}
