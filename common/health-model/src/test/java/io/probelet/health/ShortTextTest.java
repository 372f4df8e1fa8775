package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortTextTest {
  @ParameterizedTest
  @CsvSource({
    "'',1,'',''",
    "abc,3,abc,abc",
    "abcd,3,ab…,abc",
    "abcd,1,…,a",
    "a😀,3,a😀,a😀",
    "a😀b,3,a…,a😀",
    "ab😀,3,ab…,ab",
    "😀😀,3,😀…,😀",
    "😀😀,1,…,''"
  })
  void cut(String text, int max, String shown, String beginning) {
    assertThat(ShortText.of(text, max)).isEqualTo(shown).hasSizeLessThanOrEqualTo(max);
    assertThat(ShortText.beginning(text, max)).isEqualTo(beginning);
  }

  @Test
  void cutsTheMiddle() {
    assertThat(ShortText.middle("checkout", 8)).isEqualTo("checkout");
    assertThat(ShortText.middle("checkout-7f6d", 8)).isEqualTo("chec…f6d");
    assertThat(ShortText.middle("checkout-7f6d", 2)).isEqualTo("c…");
    assertThat(ShortText.middle("checkout-7f6d", 1)).isEqualTo("…");
    assertThat(ShortText.middle("abc\ud83d\ude00\ud83d\ude00", 4)).isEqualTo("ab…");
    assertThat(ShortText.middle("\ud83d\ude00\ud83d\ude00abc", 4)).isEqualTo("\ud83d\ude00…c");
  }
}
