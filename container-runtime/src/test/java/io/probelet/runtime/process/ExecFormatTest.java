package io.probelet.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H-9: by its first bytes, the kernel executes a file or refuses it. */
class ExecFormatTest {
  @TempDir private Path dir;
  private Path formats;

  @BeforeEach
  void registerNothing() throws Exception {
    formats = Files.createDirectory(dir.resolve("formats"));
    Files.writeString(formats.resolve("status"), "enabled\n");
    Files.writeString(formats.resolve("register"), "");
  }

  @Test
  void refusesWhatIsNeitherScriptNorProgramOfThisMachine() throws Exception {
    assertThat(refuses("#!/bin/sh\n")).isFalse();
    assertThat(refuses("")).isTrue();
    assertThat(refuses("#")).isTrue();
    assertThat(refuses("exit 0\n")).isTrue();
    assertThat(refuses("\u007fELF")).as("truncated").isTrue();
    assertThat(refuses("\u007fELF" + "\0".repeat(14) + "\u00f7\0")).as("BPF").isTrue();
    assertThat(new ExecFormat(formats).refuses(Path.of("/proc/self/exe"))).isFalse();
    assertThat(new ExecFormat(formats).refuses(dir.resolve("gone"))).as("unknown").isFalse();
    assertThat(new ExecFormat(dir.resolve("none")).refuses(file("x"))).as("no binfmt").isTrue();
  }

  @Test
  void leavesRegisteredFormatsToTheKernel() throws Exception {
    Files.writeString(
        formats.resolve("magic"),
        "enabled\ninterpreter /usr/bin/x\nflags: \noffset 2\nmagic 4142\nmask ffdf\n");
    assertThat(refuses("--Ab")).isFalse();
    assertThat(refuses("--AB")).isFalse();
    assertThat(refuses("--BB")).isTrue();
    assertThat(refuses("--A")).isTrue();
    Files.writeString(
        formats.resolve("magic"), "disabled\ninterpreter /usr/bin/x\noffset 0\nmagic 41\n");
    assertThat(refuses("A")).isTrue();
    Files.writeString(
        formats.resolve("jar"), "enabled\ninterpreter /usr/bin/x\nflags: \nextension .jar\n");
    Path jar = Files.writeString(dir.resolve("a.jar"), "PK");
    assertThat(new ExecFormat(formats).refuses(jar)).isFalse();
    assertThat(refuses("PK")).isTrue();
  }

  private boolean refuses(String content) throws Exception {
    return new ExecFormat(formats).refuses(file(content));
  }

  private Path file(String content) throws Exception {
    return Files.write(dir.resolve("file"), content.getBytes(StandardCharsets.ISO_8859_1));
  }
}
