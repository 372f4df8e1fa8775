package io.probelet.monitor.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Writes a real journal file with Debian's systemd-journal-remote, which needs no systemd. */
public final class JournalWriter implements AutoCloseable {
  /** The machine ID of the entries. */
  public static final String MACHINE = "0123456789abcdef0123456789abcdef";

  private static final String BOOT = "fedcba9876543210fedcba9876543210";

  private final Process writer;
  private final OutputStream to;

  /** Begins a file. The test is skipped where the program is not installed. */
  public JournalWriter(Path file) throws IOException {
    Optional<Path> program =
        Stream.of("/usr/lib/systemd", "/lib/systemd")
            .map(folder -> Path.of(folder, "systemd-journal-remote"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeThat(program)
        .as("needs systemd-journal-remote (apt-get install systemd-journal-remote)")
        .isPresent();
    assumeThat(JournalAccess.USUAL.library()).as("needs libsystemd.so.0").isPresent();
    Files.createDirectories(file.getParent());
    writer =
        new ProcessBuilder(program.orElseThrow().toString(), "--output=" + file, "-")
            .redirectError(Redirect.DISCARD)
            .redirectOutput(Redirect.DISCARD)
            .start();
    to = writer.getOutputStream();
  }

  /** Logs under a name, at a time. */
  public JournalWriter log(String identifier, String message, Instant at) throws IOException {
    return entry(at, MACHINE, "SYSLOG_IDENTIFIER", identifier, "MESSAGE", message);
  }

  /** Logs fields, each with its name before it. */
  public JournalWriter entry(Instant at, String machine, String... fields) throws IOException {
    long micros = at.getEpochSecond() * 1_000_000 + at.getNano() / 1000;
    text("__REALTIME_TIMESTAMP=" + micros);
    text("__MONOTONIC_TIMESTAMP=" + micros); // as if booted in 1970
    text("_BOOT_ID=" + BOOT);
    text("_MACHINE_ID=" + machine);
    for (int name = 0; name < fields.length; name += 2) {
      byte[] value = fields[name + 1].getBytes(StandardCharsets.UTF_8);
      text(fields[name]);
      to.write(
          ByteBuffer.allocate(Long.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(value.length)
              .array());
      to.write(value);
      text("");
    }
    text("");
    to.flush();
    return this;
  }

  private void text(String line) throws IOException {
    to.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Ends the file, as when it is rotated. */
  @Override
  public void close() throws IOException {
    to.close();
    try {
      assertThat(writer.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException hurry) {
      writer.destroy();
      Thread.currentThread().interrupt();
    }
  }
}
