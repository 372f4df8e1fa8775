package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Counts processes that have died and that nobody has reaped. */
final class ZombiesCheck implements NodeCheck {
  private final int most;
  private final Machine machine;

  ZombiesCheck(int most, Machine machine) {
    this.most = most;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.demandView("processes");
    int zombies = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(machine.proc(), "[0-9]*")) {
      for (Path process : processes) {
        if (isZombie(process.resolve("stat"))) {
          zombies++;
        }
      }
    }
    return zombies > most
        ? new NodeCheckResult.Problem("more than " + most + " dead processes are not reaped")
        : NodeCheckResult.OK;
  }

  /** The state follows the name, which is in brackets and may hold anything. */
  private static boolean isZombie(Path stat) throws IOException {
    try {
      String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
      return line.startsWith(") Z ", line.lastIndexOf(')'));
    } catch (NoSuchFileException gone) {
      return false;
    } catch (IOException gone) {
      if (String.valueOf(gone.getMessage()).contains("No such process")) {
        return false;
      }
      throw gone;
    }
  }
}
