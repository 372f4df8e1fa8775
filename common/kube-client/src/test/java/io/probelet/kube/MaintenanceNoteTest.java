package io.probelet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaintenanceNoteTest {
  private static final MaintenanceNote NOTE =
      new MaintenanceNote(Instant.parse("2026-12-02T02:30:00Z"), "rack-7");

  private static ObjectNode node(String annotation) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.putObject("metadata").putObject("annotations").put(MaintenanceNote.ANNOTATION, annotation);
    return node;
  }

  @Test
  @DisplayName("MW-8 an agent reads what the controller writes")
  void readsItsText() {
    assertThat(NOTE.text()).isEqualTo("2026-12-02T02:30:00Z rack-7");
    assertThat(MaintenanceNote.of(node(NOTE.text()))).contains(NOTE);
    assertThat(MaintenanceNote.of(JsonNodeFactory.instance.objectNode())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-12-02T02:30:00Z",
        "2026-12-02T02:30:00Z ",
        "tomorrow rack-7",
        "2026-12-02T02:30:00Z <b>rack</b>",
        "2026-12-02T02:30:00Z rack-7\u001b[31m",
        "2026-12-02T02:30:00Z a234567890123456789012345678901234567890123456789012345678901234",
      })
  @DisplayName("MW-8 a value that the controller would not write is no maintenance")
  void ignoresOtherValues(String text) {
    assertThat(MaintenanceNote.of(node(text))).isEmpty();
  }
}
