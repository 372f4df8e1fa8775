package io.probelet.probe.http;

import io.probelet.health.ShortText;

/** What a peer or a user wrote, fit for a one-line message. */
final class Quoted {
  private static final int LONGEST = 64;

  private Quoted() {}

  static String of(String text) {
    String plain = Secrets.withoutSecrets(text);
    String shown = ShortText.of(plain, LONGEST);
    StringBuilder quoted = new StringBuilder(shown.length());
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      boolean printable = (c >= ' ' && c < 0x7f) || c == '…';
      quoted.append(printable && c != '"' && c != '\\' ? c : '.');
    }
    return quoted.toString();
  }
}
