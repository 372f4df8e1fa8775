package io.probelet.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventReaderTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // namespace, object's namespace, reporting component, source's component, known
        "default, '', kubelet, kubelet, true",
        "default, '', '', kubelet, true",
        "default, '', kubelet, '', true",
        "default, '', node-controller, node-controller, true",
        "default, '', probelet, my-monitor, true",
        "default, '', '', kernel-monitor, true",
        "default, '', evil, kubelet, false",
        "default, '', '', Kubelet, false",
        "default, '', '', '', false",
        "default, default, kubelet, kubelet, false",
        "tenant, tenant, kubelet, kubelet, false",
        "tenant, '', kubelet, kubelet, false",
      })
  void knowsComponentsByNameAndNamespace(
      String namespace, String object, String reporting, String source, boolean known) {
    FleetEvent event =
        read(
            """
            metadata: {name: e, namespace: %s}
            involvedObject: {kind: Node, name: n-1, namespace: "%s"}
            reportingComponent: "%s"
            source: {component: "%s"}
            """
                .formatted(namespace, object, reporting, source));

    assertThat(event.known()).isEqualTo(known);
    assertThat(event.eventNamespace()).isEqualTo(namespace);
    assertThat(event.component()).isEqualTo(reporting.isEmpty() ? source : reporting);
  }

  /** Attack: an Event's text that looks like lines of the page, of a log or of a terminal. */
  @Test
  void cleansAndBoundsEveryText() {
    String hostile = "\\e[2Ja\\nb\\tc\\u202Ed" + "x".repeat(5_000);
    FleetEvent event =
        read(
            """
            metadata: {name: e, namespace: "%1$s"}
            involvedObject: {kind: "%1$s", name: "%1$s", namespace: "%1$s"}
            reason: "%1$s"
            message: "%1$s"
            reportingComponent: "%1$s"
            source: {component: "%1$s"}
            """
                .formatted(hostile));

    for (String text :
        new String[] {
          event.kind(),
          event.name(),
          event.namespace(),
          event.reason(),
          event.message(),
          event.source(),
          event.component(),
          event.eventNamespace()
        }) {
      assertThat(text).startsWith("a b cdxxx").hasSizeLessThanOrEqualTo(FleetText.SENTENCE);
    }
    assertThat(event.reason()).hasSize(FleetText.WORD);
  }

  private static FleetEvent read(String yaml) {
    ObjectNode event = FleetFixture.yaml(yaml);
    return EventReader.read(event);
  }
}
