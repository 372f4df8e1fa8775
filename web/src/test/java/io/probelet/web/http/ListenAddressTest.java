package io.probelet.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:20258, 127.0.0.1, 20258",
    "localhost:0, localhost, 0",
    "[::1]:65535, ::1, 65535",
    "node-1.example:80, node-1.example, 80"
  })
  void readsHostAndPortAndPrintsThemTheSame(String text, String host, int port) {
    ListenAddress address = ListenAddress.parse(text);
    assertThat(address).isEqualTo(new ListenAddress(host, port));
    assertThat(address).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "20258", ":20258", "localhost", "localhost:", "::1:80", "a:-1", "a:b", "[]:1"})
  void refusesWhatIsNoAddressAndShowsOne(String text) {
    assertThatThrownBy(() -> ListenAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"" + text + "\" is not host:port; write it like 127.0.0.1:20258 or [::1]:20258");
  }

  @ParameterizedTest
  @ValueSource(strings = {"65536", "99999", "99999999999"})
  void refusesPortOutOfRange(String port) {
    assertThatThrownBy(() -> ListenAddress.parse("a:" + port))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"a:" + port + "\": port " + port + " is out of range 0-65535");
  }

  @Test
  void theDefaultIsOne() {
    assertThat(ListenAddress.parse(ListenAddress.DEFAULT).host()).isEqualTo("127.0.0.1");
  }
}
