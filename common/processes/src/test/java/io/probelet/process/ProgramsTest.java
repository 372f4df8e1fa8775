package io.probelet.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
  @TempDir private Path dir;

  @Test
  @DisplayName("the first folder with the program wins; relative folders are ignored")
  void finds() throws Exception {
    Path first = Files.createDirectory(dir.resolve("first"));
    Path second = Files.createDirectory(dir.resolve("second"));
    Files.writeString(first.resolve("tool"), "not executable");
    Path tool = Files.writeString(second.resolve("tool"), "");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    String path = "::second:" + first + ":" + second;
    assertThat(Programs.find("tool", path)).contains(tool);
    assertThat(Programs.find("other", path)).isEmpty();
    assertThat(Programs.find("tool", "")).isEmpty();
  }
}
