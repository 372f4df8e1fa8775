package io.probelet.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.VirtualTime;
import io.probelet.kube.MaintenanceNote;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MaintenanceEndTest {
  private final VirtualTime time = new VirtualTime();
  private final AtomicReference<Optional<MaintenanceNote>> note =
      new AtomicReference<>(Optional.empty());
  private final AtomicInteger overs = new AtomicInteger();
  private final MaintenanceEnd end =
      new MaintenanceEnd(
          time.loop("node-part"), time.clock(), note::get, () -> overs.incrementAndGet());

  private void note(Duration left) {
    note.set(Optional.of(new MaintenanceNote(time.clock().wallTime().plus(left), "rack-7")));
    end.changed();
    time.runDue();
  }

  @Test
  @DisplayName("MW-11 checks run again at the end that the Node names, once")
  void atItsEnd() {
    note(Duration.ofHours(2));
    time.advance(Duration.ofHours(2).minusSeconds(1));
    assertThat(end.now()).isPresent();
    assertThat(overs).hasValue(0);
    time.advance(Duration.ofSeconds(2));
    assertThat(end.now()).isEmpty();
    assertThat(overs).hasValue(1);
    time.advance(Duration.ofHours(2));
    assertThat(overs).hasValue(1);
  }

  @Test
  @DisplayName("MW-11 checks run again when the Node no longer names a maintenance")
  void removed() {
    note(Duration.ofHours(2));
    note.set(Optional.empty());
    end.changed();
    time.runDue();
    assertThat(overs).hasValue(1);
  }

  @Test
  @DisplayName("MW-11 an extended maintenance does not end at its former end")
  void extended() {
    note(Duration.ofHours(1));
    note(Duration.ofHours(3));
    time.advance(Duration.ofHours(2));
    assertThat(overs).hasValue(0);
    assertThat(end.now()).isPresent();
  }

  @Test
  @DisplayName("MW-11 a note whose end has passed is no maintenance")
  void stale() {
    note(Duration.ofHours(-1));
    time.advance(Duration.ofMinutes(5));
    assertThat(end.now()).isEmpty();
    assertThat(overs).hasValue(0);
  }
}
