package io.probelet.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GatedCommandTest {
  private static final ContainerCommand COMMAND =
      new ContainerCommand(
          List.of("program"),
          Map.of("LD_PRELOAD", "/evil.so", "PATH", "/evil", "BASH_ENV", "/evil.sh", "a-b", "1"),
          Path.of("/"));

  @Test
  @DisplayName("before rights are given up no variable of the manifest has its name")
  void confined() {
    GatedCommand gate =
        GatedCommand.of(COMMAND, List.of("/usr/bin/setpriv", "--no-new-privs", "--"), null);
    assertThat(gate.env().keySet()).hasSize(4).allMatch(name -> name.startsWith("PROBELET_ENV_"));
    assertThat(gate.words())
        .startsWith("setsid", "/bin/sh", "-c")
        .containsSequence("/usr/bin/setpriv", "--no-new-privs", "--", "/bin/sh", "-c")
        .endsWith("probelet", "program");
    assertThat(String.join(" ", gate.words())).doesNotContain("/evil");
  }

  @Test
  @DisplayName("without rights to give up variables keep their names as far as a shell lets them")
  void unconfined() {
    GatedCommand gate = GatedCommand.of(COMMAND, List.of(), null);
    assertThat(gate.env()).containsKeys("LD_PRELOAD", "PATH", "BASH_ENV").hasSize(4);
  }

  @Test
  @DisplayName("output goes to the log before rights are given up, whatever its path is made of")
  void log() {
    GatedCommand gate =
        GatedCommand.of(COMMAND, List.of("/usr/bin/setpriv", "--"), Path.of("/it's/a log"));
    assertThat(gate.words().get(3))
        .startsWith("read -r _ && exec </dev/null >>'/it'\\''s/a log' 2>&1 && ");
  }
}
