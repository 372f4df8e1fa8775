package io.probelet.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Subjects as keys. */
class ProbeSubjectTest {
  private static final PodRef POD = new PodRef("shop", "cart", "u1");

  @Test
  @DisplayName("subjects are the same only if every part of them is")
  void parts() {
    List<ProbeSubject> different =
        List.of(
            new ProbeSubject(POD, "c", ProbeKind.LIVENESS),
            new ProbeSubject(POD, "c", ProbeKind.READINESS),
            new ProbeSubject(POD, "d", ProbeKind.LIVENESS),
            new ProbeSubject(new PodRef("shop", "cart", "u2"), "c", ProbeKind.LIVENESS),
            new ProbeSubject(new PodRef("shop", "till", "u1"), "c", ProbeKind.LIVENESS),
            new ProbeSubject(new PodRef("bank", "cart", "u1"), "c", ProbeKind.LIVENESS));
    Set<ProbeSubject> known = new HashSet<>(different);
    assertThat(known).hasSameSizeAs(different);
    assertThat(known)
        .contains(new ProbeSubject(new PodRef("shop", "cart", "u1"), "c", ProbeKind.LIVENESS));
  }
}
