package io.probelet.probe.engine;

import static io.probelet.probe.ProbeResult.FAILURE;
import static io.probelet.probe.ProbeResult.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.engine.ProbeWorker.WorkerState;
import org.junit.jupiter.api.Test;

class WorkerStateTest {
  private static final WorkerState FAILED_TWICE =
      WorkerState.of("id-1").counting(FAILURE).counting(FAILURE);

  @Test
  void countsOutcomesInARow() {
    assertThat(FAILED_TWICE)
        .isEqualTo(new WorkerState("id-1", false, FAILURE, 2, Recovery.STARTING));
    assertThat(FAILED_TWICE.counting(SUCCESS).run()).isEqualTo(1);
    assertThat(FAILED_TWICE.held())
        .isEqualTo(new WorkerState("id-1", true, FAILURE, 0, Recovery.STARTING));
  }

  @Test
  void isTheVeryOneIfItsCountStays() {
    assertThat(FAILED_TWICE.running(2)).isSameAs(FAILED_TWICE);
    assertThat(FAILED_TWICE.running(3)).isEqualTo(FAILED_TWICE.counting(FAILURE));
  }

  @Test
  void comparesAllButTheCount() {
    assertThat(FAILED_TWICE.sameButForRun(FAILED_TWICE.counting(FAILURE))).isTrue();
    assertThat(
            FAILED_TWICE.sameButForRun(
                new WorkerState("id-1", false, FAILURE, 0, Recovery.STARTING)))
        .isTrue();
    assertThat(FAILED_TWICE.sameButForRun(FAILED_TWICE.counting(SUCCESS))).isFalse();
    assertThat(FAILED_TWICE.sameButForRun(FAILED_TWICE.held())).isFalse();
    assertThat(FAILED_TWICE.sameButForRun(FAILED_TWICE.with(Recovery.READY))).isFalse();
    assertThat(
            FAILED_TWICE.sameButForRun(
                new WorkerState("id-2", false, FAILURE, 2, Recovery.STARTING)))
        .isFalse();
  }
}
