package io.probelet.runtime.evidence;

import io.probelet.probe.file.BadFileException;
import io.probelet.probe.file.SmallFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Files that the kernel generates. One that is absent, or goes while it is read, has no text. */
final class KernelText {
  /** Files with a fixed set of lines have some hundred bytes. */
  private static final int MAX_BYTES = 16 << 10;

  private KernelText() {}

  /** {@return all of a small file; empty if it cannot be read or is unexpectedly large} */
  static Optional<String> of(Path file) {
    try {
      return Optional.of(text(SmallFile.read("kernel file", file, MAX_BYTES)));
    } catch (BadFileException gone) {
      return Optional.empty();
    }
  }

  /** {@return a file up to the largest size that is read; empty if it cannot be read} */
  static Optional<String> start(Path file) {
    try {
      return Optional.of(text(SmallFile.start("kernel file", file, SmallFile.MAX_BYTES)));
    } catch (BadFileException gone) {
      return Optional.empty();
    }
  }

  /** Names of processes are any bytes; each byte becomes a character. */
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
