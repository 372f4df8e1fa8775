package io.probelet.nodehealth.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Patches of single taints and annotations. */
class NodePatchTest {
  private static final NodeTaint A = new NodeTaint("a", "", "NoSchedule");
  private static final NodeTaint B = new NodeTaint("b", "v", "NoExecute");
  private static final NodeTaint C = new NodeTaint("c", "", "NoSchedule");

  private static String text(NodePatch patch) {
    return patch.json().toString().replace('"', '\'');
  }

  @Test
  void beginsWithTheVersionThatWasRead() {
    assertThat(text(new NodePatch("7", List.of(), true)))
        .isEqualTo("[{'op':'replace','path':'/metadata/resourceVersion','value':'7'}]");
  }

  @Test
  void removesByPositionAfterEarlierRemovals() {
    assertThat(text(new NodePatch("7", List.of(A, B, C), true).remove(A).remove(C).add(A)))
        .endsWith(
            ",{'op':'remove','path':'/spec/taints/0'},{'op':'remove','path':'/spec/taints/1'},"
                + "{'op':'add','path':'/spec/taints/-','value':{'key':'a','effect':'NoSchedule'}}]");
  }

  @Test
  void addsTheListWithTheFirstTaint() {
    assertThat(text(new NodePatch("7", List.of(B), true).remove(B).add(B)))
        .endsWith(
            ",{'op':'remove','path':'/spec/taints/0'},{'op':'add','path':'/spec/taints','value':"
                + "[{'key':'b','effect':'NoExecute','value':'v'}]}]");
  }

  @Test
  void replacesATaintWithTheSameKeyAndEffect() {
    NodeTaint other = new NodeTaint("b", "w", "NoExecute");
    assertThat(text(new NodePatch("7", List.of(A, B), true).add(other)))
        .endsWith(
            ",{'op':'replace','path':'/spec/taints/1','value':"
                + "{'key':'b','effect':'NoExecute','value':'w'}}]");
    assertThat(new NodePatch("7", List.of(A, B), true).remove(other).json())
        .as("only a taint with this value is removed")
        .hasSize(1);
  }

  @Test
  void addsTheMapWithTheFirstAnnotation() {
    assertThat(
            text(new NodePatch("7", List.of(), false).annotate("e.io/a", "1").annotate("b", "2")))
        .endsWith(
            ",{'op':'add','path':'/metadata/annotations','value':{}},"
                + "{'op':'add','path':'/metadata/annotations/e.io~1a','value':'1'},"
                + "{'op':'add','path':'/metadata/annotations/b','value':'2'}]");
    assertThat(text(new NodePatch("7", List.of(), true).removeAnnotation("e.io/a")))
        .endsWith(",{'op':'remove','path':'/metadata/annotations/e.io~1a'}]");
  }
}
