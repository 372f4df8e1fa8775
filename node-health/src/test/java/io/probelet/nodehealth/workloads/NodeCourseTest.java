package io.probelet.nodehealth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** WE-9, WE-11: how long a finding must last before it is applied. */
class NodeCourseTest {
  private static final Duration WAIT = Duration.ofMinutes(5);

  private NodeCourse course = NodeCourse.of(Finding.FAILING);

  private void found(Finding finding, int second) {
    found(finding, second, second);
  }

  private void found(Finding finding, int second, int confirmed) {
    course = course.found(finding, Duration.ofSeconds(second), Duration.ofSeconds(confirmed), WAIT);
  }

  @Test
  void unknownFindingsThatAlternateEndAFailure() {
    for (int i = 0; i < 30; i++) {
      found(List.of(Finding.NOT_READY, Finding.TOO_FEW).get(i % 2), 10 * i);
      assertThat(course.applied()).isEqualTo(Finding.FAILING);
    }
    found(Finding.TOO_FEW, 300);
    assertThat(course.applied()).isEqualTo(Finding.TOO_FEW);
  }

  @Test
  void workingMustLastByItself() {
    course = NodeCourse.of(Finding.UNSEEN);
    found(Finding.TOO_FEW, 0);
    found(Finding.WORKING, 290);
    found(Finding.WORKING, 580);
    assertThat(course.applied()).isEqualTo(Finding.UNSEEN);
    found(Finding.WORKING, 590);
    assertThat(course.applied()).isEqualTo(Finding.WORKING);
  }

  @Test
  void failureInBetweenBeginsTheWaitAnew() {
    found(Finding.WORKING, 0);
    found(Finding.FAILING, 290);
    found(Finding.WORKING, 300);
    assertThat(course.applied()).isEqualTo(Finding.FAILING);
    found(Finding.WORKING, 600);
    assertThat(course.applied()).isEqualTo(Finding.WORKING);
  }

  @Test
  void failureWaitsForItsOwnConfirmationOnly() {
    course = NodeCourse.of(Finding.WORKING);
    found(Finding.TOO_FEW, 0, 0);
    found(Finding.FAILING, 100, 99);
    assertThat(course.applied()).isEqualTo(Finding.WORKING);
    found(Finding.FAILING, 110, 100);
    assertThat(course.applied()).isEqualTo(Finding.FAILING);
  }

  @Test
  void unknownNeedsNoConfirmationAndWorkingDoes() {
    found(Finding.TOO_FEW, 0, 0);
    found(Finding.TOO_FEW, 300, 0);
    assertThat(course.applied()).isEqualTo(Finding.TOO_FEW);
    found(Finding.WORKING, 310, 300);
    found(Finding.WORKING, 610, 609);
    assertThat(course.applied()).isEqualTo(Finding.TOO_FEW);
    found(Finding.WORKING, 620, 610);
    assertThat(course.applied()).isEqualTo(Finding.WORKING);
  }
}
