package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ExpectationsTest {
  private final Expectations expected = new Expectations();

  @Test
  @DisplayName("N-2 what a watch shows is no news while it is older than our write")
  void watchBehind() {
    assertThat(expected.wrote("u", "10")).isTrue();
    assertThat(expected.isNews("u", "9")).isFalse();
    assertThat(expected.isNews("u", "10")).isTrue();
    assertThat(expected.wrote("u", "9")).isFalse();
  }

  @Test
  @DisplayName("ACT-79 of two answers that cross the older is no news, or a count would be lost")
  void answersCross() {
    assertThat(expected.wrote("u", "11")).isTrue();
    assertThat(expected.wrote("u", "10")).isFalse();
    assertThat(expected.isNews("u", "10")).isFalse();
    assertThat(expected.isNews("u", "11")).isTrue();
  }
}
