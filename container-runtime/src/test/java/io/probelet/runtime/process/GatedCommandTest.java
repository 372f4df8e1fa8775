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
        GatedCommand.of(COMMAND, List.of("/usr/bin/setpriv", "--no-new-privs", "--"), false);
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
    GatedCommand gate = GatedCommand.of(COMMAND, List.of(), false);
    assertThat(gate.env()).containsKeys("LD_PRELOAD", "PATH", "BASH_ENV").hasSize(4);
  }

  @Test
  @DisplayName("both streams go to one pipe, in the order they are written")
  void log() {
    List<String> confinement = List.of("/usr/bin/setpriv", "--");
    assertThat(GatedCommand.of(COMMAND, confinement, false).words().get(3))
        .startsWith("read -r _ && exec </dev/null 2>&1 && ");
    assertThat(GatedCommand.of(COMMAND, confinement, true).words().get(3))
        .startsWith("read -r _ && exec </dev/null 1<>/proc/self/fd/1 2>&1 && ");
  }
}
