package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The real kubectl, beside the real API server or on the path. */
final class Kubectl {
  private final String program;
  private final Path kubeconfig;

  /** Skips the test where there is none. */
  Kubectl(Path kubeconfig) {
    this.kubeconfig = kubeconfig;
    String folders = System.getenv("KUBEBUILDER_ASSETS") + ":" + System.getenv("PATH");
    for (String folder : folders.split(":", -1)) {
      Path candidate = Path.of(folder, "kubectl");
      if (Files.isExecutable(candidate)) {
        program = candidate.toString();
        return;
      }
    }
    System.err.println("SKIPPED: tests with kubectl; there is none");
    Assumptions.abort("there is no kubectl");
    throw new AssertionError();
  }

  /** {@return what it prints, in the folder of the repository; it must succeed} */
  String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program, "--kubeconfig=" + kubeconfig));
    command.addAll(List.of(arguments));
    return output(Path.of(".."), command);
  }

  /** Unpacks deploy/ as it was at a commit; skips the test where the history is not at hand. */
  static Path deployAt(String commit, Path directory) throws IOException, InterruptedException {
    List<String> ask = List.of("git", "cat-file", "-e", commit + "^{commit}");
    boolean there;
    try {
      there = new ProcessBuilder(ask).directory(Path.of("..").toFile()).start().waitFor() == 0;
    } catch (IOException noGit) {
      there = false;
    }
    if (!there) {
      System.err.println("SKIPPED: tests of upgrades; git has no commit " + commit);
      Assumptions.abort("no commit " + commit);
    }
    Path archive = directory.resolve("deploy.tar");
    output(Path.of(".."), List.of("git", "archive", "-o", archive.toString(), commit, "deploy"));
    output(directory, List.of("tar", "-xf", archive.toString()));
    return directory.resolve("deploy");
  }

  private static String output(Path folder, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
    return output;
  }
}
