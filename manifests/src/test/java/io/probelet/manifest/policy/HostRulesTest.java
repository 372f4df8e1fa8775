package io.probelet.manifest.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which hosts an annotation may name, in every form that a resolver would take. */
class HostRulesTest {
  private static HostRules rules(String... texts) {
    return new HostRules(Arrays.stream(texts).map(HostRule::parse).toList());
  }

  @ParameterizedTest(name = "{0} allows {1}")
  @CsvSource({
    "10.1.0.0/16, 10.1.255.255",
    "10.1.2.3, 10.1.2.3",
    "10.1.2.3, ::ffff:10.1.2.3",
    "10.1.2.3, [::ffff:a01:203]",
    "2001:db8::/32, 2001:db8:0:0::1",
    "2001:db8::/32, [2001:DB8::1]",
    "0.0.0.0/0, 10.1.2.3",
    "127.0.0.0/8, 127.3.2.1",
    "169.254.0.0/16, 169.254.169.254",
    "vault.example.com, vault.example.com",
    "Vault.Example.com., VAULT.example.COM",
    "vault.example.com, vault.example.com.",
    "*.example.com, a.example.com",
    "*.example.com, a.b.example.com",
    "localhost, LocalHost.",
    "*, 169.254.169.254",
    "*, whatever this is",
  })
  void allowed(String rule, String host) {
    assertThat(rules(rule).allow(host)).isTrue();
  }

  @ParameterizedTest(name = "{0} does not allow {1}")
  @CsvSource({
    "pod, 10.1.2.3",
    "pod, pod",
    "10.1.0.0/16, 10.2.0.0",
    "10.0.0.0/8, 010.1.2.3",
    "10.0.0.0/8, 10.1.2.3.",
    "10.0.0.0/8, 10.1",
    "10.0.0.0/8, 167838211",
    "10.0.0.0/8, 0xa.1.2.3",
    "10.0.0.0/8, 0xa010203",
    "10.0.0.0/8, ten.example.com",
    "0.0.0.0/0, 0.0.0.0",
    "0.0.0.0/0, 127.0.0.1",
    "0.0.0.0/0, 169.254.169.254",
    "0.0.0.0/0, 224.0.0.1",
    "0.0.0.0/0, ::ffff:127.0.0.1",
    "0.0.0.0/0, ::ffff:0.0.0.0",
    "0.0.0.0/0, 2001:db8::1",
    "::/0, ::",
    "::/0, ::1",
    "::/0, [::1]",
    "::/0, fe80::1",
    "::/0, fe80::1%eth0",
    "::/0, 2001:db8::1%1",
    "::/0, 10.1.2.3",
    "128.0.0.0/1, 169.254.169.254",
    "127.0.0.1, localhost",
    "*.example.com, example.com",
    "*.example.com, evilexample.com",
    "*.example.com, a.example.com.evil.org",
    "*.example.com, 1.2.3.4",
    "*.example.com, .example.com",
    "*.example.com, a..example.com",
    "*.example.com, 'a/.example.com'",
    "*.example.com, 'a@b.example.com'",
    "*.example.com, 'a b.example.com'",
    "*.example.com, 'evil.org#.example.com'",
    "*.example.com, 'evil.org:80\u0000.example.com'",
    "localhost, a.localhost",
    "vault.example.com, v\u0430ult.example.com",
    "10.0.0.0/8, \uff11\uff10.1.2.3",
  })
  void refused(String rule, String host) {
    assertThat(rules(rule).allow(host)).isFalse();
  }

  @Test
  @DisplayName("a probe without a host goes to its own pod, where that is allowed")
  void own() {
    assertThat(HostRules.OWN.allow(null)).isTrue();
    assertThat(HostRules.OWN.allow("")).isTrue();
    assertThat(HostRules.ANY.allow(null)).isTrue();
    assertThat(rules("vault.example.com").allow(null)).isFalse();
    assertThat(rules("pod", "vault.example.com").allow(null)).isTrue();
    assertThat(new HostRules(List.of()).allow(null)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.1.2.3/33",
        "10.1.2.3/-1",
        "10.1.2.3/16",
        "10.1.0.0/x",
        "::/129",
        "*.*.example.com",
        "*.1",
        "127.1",
        "a b",
        "http://a",
        "a:80",
        "*a",
        "fe80::1%eth0",
        "10.1.0.0/16/16",
      })
  void noRule(String text) {
    assertThatThrownBy(() -> HostRule.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
