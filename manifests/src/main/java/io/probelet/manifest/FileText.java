package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Source;
import io.probelet.document.tree.SyntaxProblem;
import io.probelet.health.FailureReason;
import io.probelet.health.FileKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The result of opening a file that a user named. */
public sealed interface FileText {
  /** The folder with the open files of a process. */
  Pattern OPEN = Pattern.compile("^/(dev/(fd/|std)|proc/[^/]+/fd/)");

  /** It is text. */
  record Text(Source source) implements FileText {}

  /** The file cannot be read, or is not text. */
  record Unreadable(Problem problem) implements FileText {}

  /**
   * Opens a file. A named pipe is rejected, because opening it would wait for a writer; a pipe that
   * is open already, such as a shell's {@code <(command)}, is read.
   *
   * @param mostMebibytes maximum size in MiB; a larger file is not read
   * @return its text, or the error
   */
  static FileText read(Path file, int mostMebibytes) {
    if (isNamedPipe(file)) {
      return unreadable(file, "is a named pipe; a regular file is expected");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file, mostMebibytes);
    } catch (NoSuchFileException e) {
      return unreadable(file, "no such file");
    } catch (IOException e) {
      return unreadable(file, "cannot be read: " + FailureReason.of(e));
    }
  }

  private static boolean isNamedPipe(Path file) {
    if (OPEN.matcher(file.toString()).find()) {
      return false;
    }
    try {
      return FileKind.of(file) == FileKind.PIPE;
    } catch (IOException | UnsupportedOperationException unknown) {
      return false; // the later read reports the error
    }
  }

  /**
   * Reads an open stream.
   *
   * @param in the source of the text; not closed
   * @param mostMebibytes maximum size in MiB; the rest is not read
   * @return its text, or the error
   */
  static FileText read(InputStream in, Path file, int mostMebibytes) {
    int most = mostMebibytes << 20;
    byte[] bytes;
    try {
      bytes = in.readNBytes(most + 1);
    } catch (IOException e) {
      return unreadable(file, "cannot be read: " + FailureReason.of(e));
    }
    if (bytes.length > most) {
      return unreadable(file, "is larger than " + mostMebibytes + " MiB; split it");
    }
    return switch (Source.decode(bytes)) {
      case Source.Decoded.Text(Source source) -> new Text(source);
      case Source.Decoded.Malformed(SyntaxProblem problem) ->
          new Unreadable(
              new Problem(file.toString(), 0, problem.at(), Severity.ERROR, "", problem.message()));
    };
  }

  private static FileText unreadable(Path file, String message) {
    return new Unreadable(Problem.ofFile(file, Severity.ERROR, message));
  }
}
