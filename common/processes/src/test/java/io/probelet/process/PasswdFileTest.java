package io.probelet.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PasswdFileTest {
  @TempDir private Path dir;

  @Test
  @DisplayName("users are found by name and number; invalid lines are ignored")
  void finds() throws Exception {
    PasswdFile users =
        new PasswdFile(
            Files.writeString(
                dir.resolve("passwd"),
                """
                root:x:0:0:root:/root:/bin/sh

                broken
                +::::::
                me:x:7:x:::
                us:x:7:8::/us:
                us:x:9:9::/other:
                far:x:99999999999:1::/far:
                homeless:x:10:11:::
                """));
    assertThat(users.byName("us")).contains(new Account(7, 8, "/us"));
    assertThat(users.byId(7)).contains(new Account(7, 8, "/us"));
    assertThat(users.byId(9)).contains(new Account(9, 9, "/other"));
    assertThat(users.byId(10)).contains(new Account(10, 11, "/"));
    assertThat(users.byName("me")).isEmpty();
    assertThat(users.byName("far")).isEmpty();
    assertThat(users.byId(8)).isEmpty();
  }

  @Test
  @DisplayName("without the file there are no users; an unreadable file is reported")
  void unreadable() throws Exception {
    assertThat(new PasswdFile(dir.resolve("none")).byId(0)).isEmpty();
    assertThatThrownBy(() -> new PasswdFile(dir).byId(0)).isInstanceOf(IOException.class);
  }

  @Test
  @DisplayName("accounts are equal by user and group, whatever the home folder")
  void same() {
    Account us = new Account(7, 8, "/us");
    assertThat(us.isSameAs(new Account(7, 8, "/"))).isTrue();
    assertThat(us.isSameAs(new Account(7, 9, "/us"))).isFalse();
    assertThat(us.isSameAs(new Account(6, 8, "/us"))).isFalse();
  }
}
