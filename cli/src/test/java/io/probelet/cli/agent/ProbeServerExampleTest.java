package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** examples/probe-server/client.py against the program. */
class ProbeServerExampleTest {
  private static final Path CLIENT = Path.of("../examples/probe-server/client.py");
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  @TempDir Path folder;

  @Test
  @Timeout(300)
  @DisplayName("PS-5 PS-7 restarts what hangs, also after Probelet has started again")
  void client() throws Exception {
    assumeThat(PYTHON).as("Python 3 is installed").exists();
    Path socket = folder.resolve("s");
    AgentUnderTest first = start(socket);
    Process client =
        new ProcessBuilder(PYTHON.toString(), CLIENT.toString(), socket.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said = client.inputReader()) {
      String container = line(said, "started process-").substring("started ".length());
      line(said, container + " ready=True");
      assertThat(first.get("/metrics"))
          .contains("probelet_probe_server_pods 1.0")
          .contains("probelet_probe_server_restarts_pending 0.0")
          .contains("probelet_probe_server_gaps_total 0.0")
          .contains("probelet_queue_limit{queue=\"probe-server-events\"} 4096.0");

      hang(container);
      line(said, "restart " + container + ": ");
      String next = line(said, "started process-").substring("started ".length());
      line(said, next + " ready=True");

      first.close();
      line(said, "probe server: ");
      try (AgentUnderTest second = start(socket)) { // in place of the socket that is left
        line(said, next + " ready=True");
        client.destroy();
        assertThat(client.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(second.get("/metrics")).contains("probelet_probe_server_pods 0.0");
        second.signal("TERM");
        assertThat(second.exitCode()).isZero();
        assertThat(socket).doesNotExist();
      }
    } finally {
      first.close();
      client.descendants().forEach(ProcessHandle::destroyForcibly);
      client.destroyForcibly();
    }
  }

  private static AgentUnderTest start(Path socket) throws IOException {
    return AgentUnderTest.start("run", "--listen=127.0.0.1:0", "--probe-socket=" + socket);
  }

  /** Reads until a line begins so. */
  private static String line(BufferedReader said, String begin) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith(begin)) {
        return line;
      }
      all.append(line).append('\n');
    }
    throw new AssertionError("\"" + begin + "\" was not said: " + all);
  }

  private static void hang(String container) throws IOException, InterruptedException {
    String pid = container.substring("process-".length());
    assertThat(new ProcessBuilder("kill", "-STOP", pid).start().waitFor()).isZero();
    assertThat(Files.exists(Path.of("/proc", pid))).isTrue();
  }
}
