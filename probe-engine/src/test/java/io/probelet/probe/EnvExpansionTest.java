package io.probelet.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.probe.EnvExpansion.TooLargeException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvExpansionTest {
  private static final Map<String, String> VARIABLES =
      Map.of("VAR_A", "A", "VAR_B", "B", "VAR_C", "C", "VAR_REF", "$(VAR_A)", "VAR_EMPTY", "");

  @ParameterizedTest
  @DisplayName("H-9 known variables are replaced, doubled dollars are halved")
  @CsvSource({
    "$(VAR_A), A",
    "$(VAR_A)-1, A-1",
    "___$(VAR_B)___, ___B___",
    "$(VAR_A)_$(VAR_B)_$(VAR_C), A_B_C",
    "$$(VAR_B)_$(VAR_A), $(VAR_B)_A",
    "f000-$$VAR_A, f000-$VAR_A",
    "foo\\$(VAR_C)bar, foo\\Cbar",
    "foo\\\\\\\\$(VAR_A)bar, foo\\\\\\\\Abar",
    "foo$(VAR_EMPTY)bar, foobar",
    "$(VAR_REF), $(VAR_A)",
    "%%$(VAR_REF)--$(VAR_REF)%%, %%$(VAR_A)--$(VAR_A)%%",
    "$$$$$$(VAR_A), $$$(VAR_A)",
    "$$$$$$$(VAR_A), $$$A",
    "$$$$$$$(GOOD_ODDS), $$$$(GOOD_ODDS)",
    "$(VAR_C)_______$(, C_______$(",
    "$(VAR_A)foobarzab$, Afoobarzab$",
    "$$, $",
  })
  void expands(String text, String expected) throws Exception {
    assertThat(EnvExpansion.expand(text, VARIABLES)).isEqualTo(expected);
  }

  @ParameterizedTest
  @DisplayName("H-9 what is unknown or unfinished stays as it is")
  @ValueSource(
      strings = {
        "",
        "plain",
        "$(VAR_A$(VAR_B))",
        "foo$(VAR_Awhoops!",
        "f00__(VAR_A)__",
        "$VAR_A",
        "$(VAR_DNE)",
        "$()",
        "$VAR_A)",
        "${VAR_A}",
        "--$($($($($--",
        "$($($($($--foo$(",
        "$(foo$$var)",
        "\n",
        "prefix-$€-suffix",
        "$中文",
        "foobarzab$",
      })
  void leavesAlone(String text) throws Exception {
    assertThat(EnvExpansion.expand(text, VARIABLES)).isEqualTo(text);
  }

  @Test
  @DisplayName("H-9 every element of a command is expanded")
  void expandsCommands() throws Exception {
    assertThat(
            EnvExpansion.expand(
                List.of("echo", "$(FOO)", "$(BAR)"), Map.of("FOO", "foo-value", "BAR", "bar")))
        .containsExactly("echo", "foo-value", "bar");
  }

  @Test
  @DisplayName("eight thousand references to a long variable end no heap: they are refused")
  void tooLarge() {
    Map<String, String> variables = Map.of("V", "x".repeat(30_000));
    assertThatThrownBy(() -> EnvExpansion.expand("$(V)".repeat(8_000), variables))
        .isInstanceOf(TooLargeException.class)
        .hasMessage("with its variables expanded, one text has more than 131072 characters");
    assertThatThrownBy(() -> EnvExpansion.expand(Collections.nCopies(40, "$(V)"), variables))
        .isInstanceOf(TooLargeException.class)
        .hasMessage("with its variables expanded, the command has more than 1048576 characters");
  }

  @Test
  @DisplayName("references that never end are looked through once, not once each")
  void unfinished() throws Exception {
    String text = "$(".repeat(60_000);
    assertThat(EnvExpansion.expand(text, VARIABLES)).isEqualTo(text);
  }
}
