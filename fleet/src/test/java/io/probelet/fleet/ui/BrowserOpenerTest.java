package io.probelet.fleet.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the browser learns the address, and nobody else. */
@Timeout(60)
class BrowserOpenerTest {
  private static final String ADDRESS = "http://127.0.0.1:1/prefix/enter?token=secret";

  @TempDir Path folder;
  private Path seen;

  @BeforeEach
  void fakeOpener() throws IOException {
    seen = folder.resolve("seen");
    Path opener = folder.resolve("xdg-open");
    Files.writeString(
        opener,
        """
        #!/bin/sh
        { echo "$@"; stat -c '%%a' "$1" "$(dirname "$1")"; cat "$1"; } >%1$s.new
        mv %1$s.new %1$s
        """
            .formatted(seen));
    Files.setPosixFilePermissions(opener, PosixFilePermissions.fromString("rwx------"));
  }

  private Map<String, String> environment(String screen) {
    return Map.of("PATH", folder + ":/usr/bin:/bin", "DISPLAY", screen);
  }

  @Test
  @DisplayName(
      "the address is in a file of the operator alone, not in the arguments; gone at the end")
  void file() throws Exception {
    Path file;
    try (BrowserOpener _ = BrowserOpener.open(ADDRESS, environment(":0")).orElseThrow()) {
      await().until(() -> Files.exists(seen));
      String[] lines = Files.readString(seen).split("\n", 4);
      file = Path.of(lines[0]);
      assertThat(lines[0]).doesNotContain("secret");
      assertThat(lines[1]).isIn("600", "644");
      assertThat(lines[2]).as("its folder").isEqualTo("700");
      assertThat(lines[3]).contains("0; url=" + ADDRESS, "no-referrer");
    }
    assertThat(file).doesNotExist();
    assertThat(file.getParent()).doesNotExist();
  }

  @Test
  @DisplayName("without a screen, or without xdg-open, there is no browser")
  void none() throws Exception {
    assertThat(BrowserOpener.open(ADDRESS, environment(""))).isEmpty();
    assertThat(BrowserOpener.open(ADDRESS, Map.of("PATH", "/nowhere", "DISPLAY", ":0")))
        .isEqualTo(Optional.empty());
    assertThat(seen).doesNotExist();
  }
}
