package io.probelet.nodehealth.wire;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Texts that many nodes have, each kept once. May be used by several threads. */
final class SharedTexts {
  private static final int MAX_TEXTS = 20_000;

  private final Map<String, String> texts = new ConcurrentHashMap<>();

  /** {@return a text that is equal, the same one each time} */
  String once(String text) {
    String known = texts.get(text);
    if (known != null) {
      return known;
    }
    if (texts.size() > MAX_TEXTS) {
      texts.clear();
    }
    texts.put(text, text);
    return text;
  }
}
