package io.probelet.nodehealth.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is read of a node, most of which its kubelet may write. */
class ReadinessNodeTest {
  private final ObjectNode node = JsonNodeFactory.instance.objectNode();

  @Test
  void readsWhatRulesAreAbout() {
    node.withObject("/metadata").put("name", "n1").put("uid", "u");
    node.withObject("/metadata/labels").put("a", "b");
    node.withObject("/metadata/annotations")
        .put("readiness.k8s.io/bootstrap-completed-x", "")
        .put("example.org/other", "")
        .put(ReadinessNode.MARKS, "readiness.k8s.io/a:NoSchedule,example.org/b:NoExecute,,x");
    node.withArray("/spec/taints").addObject().put("key", "k").put("effect", "NoExecute");
    node.withArray("/status/conditions").addObject().put("type", "A").put("status", "True");
    node.withArray("/status/conditions").addObject().put("type", "B").put("status", "Fine");
    ReadinessNode read = ReadinessNode.read(node);
    assertThat(read.taints()).containsExactly(new NodeTaint("k", "", "NoExecute"));
    assertThat(read.labels()).containsEntry("a", "b");
    assertThat(read.conditions()).containsEntry("A", "True").containsEntry("B", "Unknown");
    assertThat(read.completions()).containsExactly("readiness.k8s.io/bootstrap-completed-x");
    assertThat(read.marks()).containsExactly("readiness.k8s.io/a:NoSchedule");
    assertThat(read.annotated()).isTrue();
  }

  @Test
  void readsNoMoreConditionsAndMarksThanTheLimit() {
    for (int i = 0; i < 2_000; i++) {
      node.withArray("/status/conditions").addObject().put("type", "C" + i).put("status", "True");
    }
    node.withObject("/metadata/annotations")
        .put(
            ReadinessNode.MARKS,
            IntStream.range(0, 2_000)
                .mapToObj(i -> "readiness.k8s.io/t" + i + ":NoSchedule")
                .collect(Collectors.joining(",")));
    ReadinessNode read = ReadinessNode.read(node);
    assertThat(read.conditions()).hasSize(ReadinessNode.MAX_CONDITIONS);
    assertThat(read.marks()).hasSize(ReadinessNode.MAX_MARKS);
  }
}
