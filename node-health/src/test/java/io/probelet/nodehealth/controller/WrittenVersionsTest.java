package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WrittenVersionsTest {
  private final WrittenVersions versions = new WrittenVersions();

  @Test
  @DisplayName("N-2 what a watch shows is no news while it is older than our write")
  void watchBehind() {
    assertThat(versions.wrote("u", "10")).isTrue();
    assertThat(versions.isNews("u", "9")).isFalse();
    assertThat(versions.isNews("u", "10")).isTrue();
    assertThat(versions.wrote("u", "9")).isFalse();
  }

  @Test
  @DisplayName("ACT-79 of two answers that cross the older is no news, or a count would be lost")
  void answersCross() {
    assertThat(versions.wrote("u", "11")).isTrue();
    assertThat(versions.wrote("u", "10")).isFalse();
    assertThat(versions.isNews("u", "10")).isFalse();
    assertThat(versions.isNews("u", "11")).isTrue();
  }
}
