package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.container;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.probe.EnvExpansion.TooLargeException;
import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.process.ContainerCommand.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerCommandTest {
  private static final Map<String, String> AGENT =
      Map.of("PATH", "/usr/bin:/bin", "HOME", "/home/me", "AWS_SECRET_ACCESS_KEY", "hidden");

  @Test
  @DisplayName("a container gets PATH and HOME of the agent, its pod's name, and no secret")
  void base() throws Exception {
    assertThat(resolve(container("web")).env())
        .containsOnly(
            Map.entry("PATH", "/usr/bin:/bin"),
            Map.entry("HOME", "/home/me"),
            Map.entry("HOSTNAME", "pod-1"));
  }

  @Test
  @DisplayName("the manifest's variables win over what is taken over")
  void manifestWins() throws Exception {
    assertThat(resolve(container("web").env("HOME", "/srv").env("HOSTNAME", "h")).env())
        .containsEntry("HOME", "/srv")
        .containsEntry("HOSTNAME", "h");
  }

  @Test
  @DisplayName("there is a PATH even if the agent has none")
  void pathOfLastResort() throws Exception {
    assertThat(
            ContainerCommand.of(container("web").build(), "pod-1", Map.of(), null)
                .env()
                .get("PATH"))
        .contains("/usr/bin");
  }

  @Test
  @DisplayName("values refer to variables before them only; a later one of the same name wins")
  void envExpansion() throws Exception {
    assertThat(
            resolve(
                    container("web")
                        .env("A", "1")
                        .env("B", "$(A)-$(LATER)-$$(A)-$(PATH)")
                        .env("LATER", "x")
                        .env("A", "2"))
                .env())
        .containsEntry("A", "2")
        .containsEntry("B", "1-$(LATER)-$(A)-$(PATH)");
  }

  @Test
  @DisplayName("command and args are expanded from the manifest's variables")
  void wordsExpansion() throws Exception {
    assertThat(
            resolve(
                    container("web", "$(BIN)", "$(HOME)")
                        .args("--port=$(PORT)", "$$(PORT)")
                        .env("BIN", "httpd")
                        .env("PORT", "80"))
                .words())
        .containsExactly("httpd", "$(HOME)", "--port=80", "$(PORT)");
  }

  @Test
  @DisplayName("a command that cannot be run is refused with a shell's exit code and a reason")
  void refusals(@TempDir Path dir) throws Exception {
    Files.writeString(dir.resolve("data"), "x");
    Path script = Files.writeString(dir.resolve("run"), "#!/bin/sh\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    assertThat(resolve(container("web", "sh")).refusal(null)).isEmpty();
    assertThat(resolve(container("web", "./run").in(dir)).refusal(null)).isEmpty();
    assertThat(resolve(container("web", "run").in(dir).env("PATH", "/bin:.")).refusal(null))
        .isEmpty();
    assertThat(resolve(container("web", "nosuch")).refusal(null))
        .contains(new Refusal(127, "command nosuch is not in PATH /usr/bin:/bin"));
    assertThat(resolve(container("web", "/no/such")).refusal(null))
        .contains(new Refusal(127, "command /no/such does not exist"));
    assertThat(resolve(container("web", "").env("PATH", dir.toString())).refusal(null))
        .contains(new Refusal(127, "the command is empty"));
    for (String first : List.of("#!/no/such\n", "#! /no/such -x\n", "#!/no/such\r\n")) {
      Files.writeString(script, first);
      assertThat(resolve(container("web", "./run").in(dir)).refusal(null))
          .contains(
              new Refusal(127, "Error", "exec ./run: its interpreter /no/such does not exist"));
    }
    Files.writeString(script, "#!/bin/sh");
    assertThat(resolve(container("web", "./run").in(dir)).refusal(null)).isEmpty();
    assertThat(resolve(container("web", "./data").in(dir)).refusal(null))
        .contains(new Refusal(126, "command ./data is not executable"));
    assertThat(resolve(container("web", "data").env("PATH", "/bin:" + dir)).refusal(null))
        .contains(new Refusal(126, "command " + dir + "/data is not executable"));
    Path pipe = dir.resolve("pipe"); // to open it would wait for a writer
    assertThat(new ProcessBuilder("mkfifo", "-m", "777", pipe.toString()).start().waitFor())
        .isZero();
    assertThat(resolve(container("web", "./pipe").in(dir)).refusal(null))
        .contains(new Refusal(126, "command ./pipe is not executable"));
    Path plain = Files.writeString(dir.resolve("plain"), "exit 0\n");
    assertThat(plain.toFile().setExecutable(true)).isTrue();
    assertThat(resolve(container("web", "plain").env("PATH", "/bin:" + dir)).refusal(null))
        .contains(new Refusal(255, "Error", "exec " + plain + ": exec format error"));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-----"));
    int owner = (int) Files.getAttribute(script, "unix:uid");
    assertThat(
            resolve(container("web", "./run").in(dir)).refusal(new Identity(owner + 12_345, "/")))
        .contains(new Refusal(126, "command ./run is not executable"));
    assertThat(resolve(container("web", "./run").in(dir)).refusal(new Identity(owner, "/")))
        .isEmpty();
    assertThat(resolve(container("web", "/usr")).refusal(null))
        .contains(new Refusal(126, "command /usr is not executable"));
    assertThat(resolve(container("web", "sh").in(dir.resolve("gone"))).refusal(null))
        .contains(new Refusal(128, "workingDir " + dir.resolve("gone") + " is not a directory"));
  }

  @Test
  @DisplayName("a chain of variables, each twice the one before, ends no heap: it is refused")
  void doublingVariables() {
    LocalPodBuilders.ContainerBuilder doubling = container("web").env("V0", "xx");
    for (int i = 1; i < 60; i++) {
      doubling = doubling.env("V" + i, "$(V%d)$(V%d)".formatted(i - 1, i - 1));
    }
    LocalPodBuilders.ContainerBuilder chain = doubling;
    assertThatThrownBy(() -> resolve(chain))
        .isInstanceOf(TooLargeException.class)
        .hasMessage("with its variables expanded, one text has more than 131072 characters");
    LocalPodBuilders.ContainerBuilder wide = container("web").env("V", "x".repeat(100_000));
    for (int i = 0; i < 20; i++) {
      wide = wide.env("W" + i, "$(V)");
    }
    LocalPodBuilders.ContainerBuilder many = wide;
    assertThatThrownBy(() -> resolve(many))
        .hasMessage("after expansion the variables have more than 1048576 characters");
  }

  private static ContainerCommand resolve(LocalPodBuilders.ContainerBuilder container)
      throws TooLargeException {
    return ContainerCommand.of(container.build(), "pod-1", AGENT, null);
  }
}
