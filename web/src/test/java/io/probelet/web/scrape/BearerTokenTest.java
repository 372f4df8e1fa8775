package io.probelet.web.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BearerTokenTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"Bearer abc.DEF-1_2~+/==", "bearer abc.DEF-1_2~+/==", "BEARER  abc.DEF-1_2~+/=="})
  void token(String header) {
    assertThat(BearerToken.of(List.of(header))).contains("abc.DEF-1_2~+/==");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Basic abc",
        "abc",
        "Bearer a b",
        "Bearer a=b",
        "Bearer é",
        "Bearer \"a\""
      })
  @DisplayName("a malformed token is rejected without asking the API server")
  void none(String header) {
    assertThat(BearerToken.of(List.of(header))).isEmpty();
  }

  @Test
  @DisplayName("12 KiB are taken, one byte more is not")
  void length() {
    String longest = "a".repeat(BearerToken.MAX_LENGTH);
    assertThat(BearerToken.of(List.of("Bearer " + longest))).contains(longest);
    assertThat(BearerToken.of(List.of("Bearer a" + longest))).isEmpty();
  }

  @Test
  @DisplayName("two headers are no token")
  void two() {
    assertThat(BearerToken.of(List.of("Bearer a", "Bearer a"))).isEmpty();
    assertThat(BearerToken.of(List.of())).isEmpty();
  }
}
