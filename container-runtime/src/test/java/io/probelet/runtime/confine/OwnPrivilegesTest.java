package io.probelet.runtime.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnPrivilegesTest {
  @Test
  @DisplayName("the kernel's own words are understood")
  void parses() throws Exception {
    assertThat(
            OwnPrivileges.parse(
                List.of(
                    "Name:\tjava",
                    "Uid:\t1\t1000\t1\t1",
                    "Gid:\t1\t1001\t1\t1",
                    "Groups:\t4 27 ",
                    "CapEff:\t0000000000000001",
                    "CapBnd:\t000001ffffffffff")))
        .isEqualTo(
            new OwnPrivileges(
                1000,
                1001,
                Set.of(4, 27),
                Set.of(Capability.of("CHOWN").orElseThrow()),
                Capability.all()));
  }

  @Test
  @DisplayName("what cannot be understood is an error, not no privileges")
  void malformed() {
    assertThatThrownBy(() -> OwnPrivileges.parse(List.of("Uid:\tx")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/proc/self/status");
  }

  @Test
  @DisplayName("users are found in passwd, others are unknown, and a broken line is nobody")
  void users(@TempDir Path dir) throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("passwd"),
            "root:x:0:0:root:/root:/bin/sh\nbroken:x:7\nme:x:1000:100:Me:/home/me:/bin/sh\n");
    PasswdFile users = new PasswdFile(file);
    assertThat(users.find(1000)).contains(new LocalUsers.LocalUser(100, "/home/me"));
    assertThat(users.find(7)).isEmpty();
    assertThat(new PasswdFile(dir.resolve("none")).find(0)).isEmpty();
  }
}
