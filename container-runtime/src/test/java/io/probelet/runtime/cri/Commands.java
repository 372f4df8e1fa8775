package io.probelet.runtime.cri;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Runs the machine's programs. */
final class Commands {
  private Commands() {}

  /** Runs a command to its end and returns what it said; fails if it failed. */
  static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
    return said;
  }
}
