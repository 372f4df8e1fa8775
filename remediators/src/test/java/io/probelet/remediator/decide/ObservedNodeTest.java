package io.probelet.remediator.decide;

import static io.probelet.remediator.decide.Situations.json;
import static io.probelet.remediator.decide.Situations.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ObservedNodeTest {
  @Test
  @DisplayName("What decisions need of a node is read")
  void whole() {
    assertThat(
            ObservedNode.read(
                json(
                    """
                    {'metadata': {'name': 'node-1', 'uid': 'uid-n', 'resourceVersion': '7',
                       'labels': {'zone': 'a'}, 'annotations': {'team': 'b'}},
                     'spec': {'unschedulable': true,
                       'taints': [{'key': 'k', 'value': 'v', 'effect': 'NoExecute'},
                         {'key': 'l', 'effect': 'NoSchedule'}]},
                     'status': {'nodeInfo': {'bootID': 'boot-1'},
                       'conditions': [{'type': 'Ready', 'status': 'Unknown'},
                         {'type': 'DiskFull', 'status': 'True'}]}}
                    """)))
        .isEqualTo(
            new ObservedNode(
                "node-1",
                "uid-n",
                "7",
                "boot-1",
                true,
                Map.of("Ready", "Unknown", "DiskFull", "True"),
                List.of(new NodeTaint("k", "v", "NoExecute"), new NodeTaint("l", "", "NoSchedule")),
                Map.of("zone", "a"),
                Map.of("team", "b")));
  }

  @Test
  @DisplayName("A node of which nothing is known takes pods, and is not ready")
  void empty() {
    ObservedNode unknown = ObservedNode.read(json("{}"));
    assertThat(unknown)
        .isEqualTo(
            new ObservedNode("", "", "", "", false, Map.of(), List.of(), Map.of(), Map.of()));
    assertThat(unknown.isReady()).isFalse();
    assertThat(node(false, null, false).isReady()).isFalse();
    assertThat(node(false, null, true).isReady()).isTrue();
  }
}
