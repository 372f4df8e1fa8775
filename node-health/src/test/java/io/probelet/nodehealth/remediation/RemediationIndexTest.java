package io.probelet.nodehealth.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Remediations found by node (RB-1), and those that are in the way. */
class RemediationIndexTest {
  private static ObservedRemediation remediation(
      String uid, String kind, String name, int second, Map<String, String> annotations) {
    return new ObservedRemediation(
        new ObjectRef("example.io/v1", kind, "remedies", name),
        uid,
        Scene.START.plusSeconds(second),
        false,
        uid.startsWith("cp") ? Map.of(WireNames.CONTROL_PLANE_REMEDIATION, "") : Map.of(),
        annotations,
        List.of(),
        Success.UNKNOWN,
        false);
  }

  private static ObservedRemediation of(String uid, String kind, String name, int second) {
    return remediation(uid, kind, name, second, Map.of(WireNames.NODE_NAME, "n1"));
  }

  @Test
  @DisplayName("a node's are listed oldest first, then by kind, name and identifier")
  void order() {
    ObservedRemediation oldest = of("z", "Z", "z", 0);
    ObservedRemediation kind = of("y", "A", "y", 1);
    ObservedRemediation name = of("x", "B", "a", 1);
    ObservedRemediation uid = of("a", "B", "b", 1);
    ObservedRemediation last = of("b", "B", "b", 1);
    List<ObservedRemediation> expected = List.of(oldest, kind, name, uid, last);
    assertThat(RemediationIndex.of(expected.reversed()).ofNode("n1")).isEqualTo(expected);
    assertThat(RemediationIndex.of(List.of(uid, oldest, last, kind, name)).ofNode("n1"))
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("RB-1 what changes is put in place of what was, and what does not is the same index")
  void changes() {
    ObservedRemediation first = remediation("cp-1", "A", "n1", 0, Map.of());
    ObservedRemediation second = of("2", "A", "x", 1);
    RemediationIndex index = RemediationIndex.of(List.of(first, second));
    assertThat(index.with(first)).isSameAs(index);
    assertThat(index.without("other")).isSameAs(index);
    assertThat(index.nodes()).containsExactly("n1");
    assertThat(index.ofNode("n1")).containsExactly(first, second);
    assertThat(index.ofNode("x")).isEmpty();
    assertThat(index.ofControlPlane()).containsExactly(first);

    ObservedRemediation ending = first.asDeleting();
    RemediationIndex changed = index.with(ending);
    assertThat(changed.all()).containsExactly(second, ending);
    assertThat(changed.ofNode("n1")).containsExactly(ending, second);
    assertThat(changed.ofControlPlane()).containsExactly(ending);
    assertThat(index.ofNode("n1")).as("a value").containsExactly(first, second);

    RemediationIndex rest = changed.without("cp-1");
    assertThat(rest.all()).containsExactly(second);
    assertThat(rest.ofControlPlane()).isEmpty();
    assertThat(rest.around("n1")).containsExactly(second);
    assertThat(rest.without("2").nodes()).isEmpty();
    assertThat(rest.without("2").around("x")).isEmpty();
  }

  @Test
  @DisplayName("R-16 around a node are those for it and those that merely have its name")
  void around() {
    ObservedRemediation own = remediation("1", "A", "n1", 0, Map.of());
    ObservedRemediation generated = of("2", "A", "n1-abc", 1);
    ObservedRemediation named = remediation("3", "A", "n1", 2, Map.of(WireNames.NODE_NAME, "n2"));
    RemediationIndex index = RemediationIndex.of(List.of(named, generated, own));
    assertThat(index.around("n1")).containsExactly(own, generated, named);
    assertThat(index.ofNode("n2")).containsExactly(named);
    assertThat(index.around("n2")).containsExactly(named);
  }
}
