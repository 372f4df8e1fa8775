package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.FakeCheckout.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A checkout with some of the real files in it, and scripts of a test in place of the others. */
final class ScriptedCheckout {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private final Path directory;
  private final Path home;

  /** One in a folder of its own below the directory, which is home and temporary folder, too. */
  ScriptedCheckout(Path directory) {
    this.directory = directory;
    this.home = directory.resolve("checkout");
  }

  Path home() {
    return home;
  }

  /** Takes real files along, with their permissions. */
  void copy(String... files) throws IOException {
    for (String file : files) {
      write(file, Files.readString(ROOT.resolve(file)));
      Files.setPosixFilePermissions(
          home.resolve(file), Files.getPosixFilePermissions(ROOT.resolve(file)));
    }
  }

  /** Writes a shell script that ends where one of its commands fails. */
  void script(String path, String body) throws IOException {
    assertThat(write(path, "#!/bin/sh\nset -e\n" + body + "\n").toFile().setExecutable(true))
        .isTrue();
  }

  /** Writes a file; its path is taken from the checkout. */
  Path write(String path, String text) throws IOException {
    Path file = home.resolve(path).normalize();
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** Runs a script of the checkout, or a command of the machine; {@code bin} beside it is first. */
  Ended run(Path where, List<String> command) throws Exception {
    List<String> words = new ArrayList<>(command);
    if (words.getFirst().startsWith("scripts/")) {
      words.set(0, home.resolve(words.getFirst()).toString());
    }
    ProcessBuilder builder = new ProcessBuilder(words).directory(where.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", directory.resolve("bin") + ":/usr/bin:/bin");
    builder.environment().put("TMPDIR", directory.toString());
    builder.environment().put("HOME", directory.toString());
    return FakeCheckout.end(builder.start());
  }
}
