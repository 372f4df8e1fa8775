package io.probelet.cli.realapi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The example remediator, as a user runs it. */
final class Remediator implements AutoCloseable {
  private final Process process;

  private Remediator(Process process) {
    this.process = process;
  }

  /** Starts one for a kind of resource, as kubectl names it. */
  static Remediator start(Path kubeconfig, String kind, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "remediator.sh", kind)
            .directory(Path.of("..", "examples", "remediator").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("KUBECONFIG", kubeconfig.toAbsolutePath().toString());
    builder.environment().put("PAUSE", "0.5");
    return new Remediator(builder.start());
  }

  @Override
  public void close() {
    List<ProcessHandle> all = process.descendants().toList();
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
