package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Failures in an operator's words. */
class FailureReasonTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new AccessDeniedException("/etc/x"), "permission denied"),
        Arguments.of(new NoSuchFileException("/etc/x"), "no such file or directory"),
        Arguments.of(
            new FileSystemException("/x", null, "No space left on device"),
            "no space left on device"),
        Arguments.of(new FileSystemException("/x"), "input/output error"),
        Arguments.of(new MalformedInputException(1), "not UTF-8 text"),
        Arguments.of(new UnknownHostException("db"), "unknown host db"),
        Arguments.of(new ConnectException("Connection refused"), "connection refused"),
        Arguments.of(new ConnectException(), "cannot connect"),
        Arguments.of(new SocketTimeoutException("Read timed out"), "timed out"),
        Arguments.of(new ClosedChannelException(), "connection closed"),
        Arguments.of(new IOException("the disk is on fire"), "the disk is on fire"),
        Arguments.of(new IOException(), "unknown reason"),
        Arguments.of(
            new UncheckedIOException(new AccessDeniedException("/x")), "permission denied"),
        Arguments.of(
            new ExecutionException(new IOException(new NoSuchFileException("/x"))),
            "no such file or directory"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void namesReason(Throwable failure, String reason) {
    assertThat(FailureReason.of(failure)).isEqualTo(reason);
  }

  @Test
  void namesFileOnce(@TempDir Path folder) {
    Path missing = folder.resolve("missing");
    try {
      Files.readString(missing);
    } catch (IOException failure) {
      assertThat(FailureReason.withFile(failure))
          .isEqualTo(missing + ": no such file or directory");
    }
    assertThat(FailureReason.withFile(new IOException("broken"))).isEqualTo("broken");
  }

  @Test
  void keepsReasonOfLongFileName(@TempDir Path folder) {
    Path file = folder.resolve("x".repeat(3_000) + ".log");
    assertThatThrownBy(() -> Files.readString(file))
        .satisfies(failure ->
            assertThat(FailureReason.withFile(failure))
                .hasSizeLessThan(200)
                .startsWith(folder.toString())
                .endsWith("x.log: file name too long"));
  }
}
