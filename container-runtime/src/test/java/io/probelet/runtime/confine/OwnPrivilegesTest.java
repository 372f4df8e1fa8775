package io.probelet.runtime.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
}
