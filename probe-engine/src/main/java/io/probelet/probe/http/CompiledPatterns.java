package io.probelet.probe.http;

import com.google.re2j.Pattern;
import io.probelet.probe.BodyPattern;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The compiled programs that were used last, as many as there is room for. */
final class CompiledPatterns {
  /** Instructions that are kept; each takes about 200 bytes with what matching needs. */
  static final int ROOM = 16_384;

  private final Map<String, Pattern> byText = new LinkedHashMap<>(16, 0.75f, true);
  private int size;

  /** Finds a program or compiles it. */
  synchronized Pattern get(BodyPattern wanted) {
    Pattern known = byText.get(wanted.pattern());
    if (known != null) {
      return known;
    }
    Pattern compiled = wanted.compile();
    byText.put(wanted.pattern(), compiled);
    size += compiled.programSize();
    Iterator<Pattern> eldest = byText.values().iterator();
    while (size > ROOM && eldest.hasNext()) {
      size -= eldest.next().programSize();
      eldest.remove();
    }
    return compiled;
  }

  /** {@return how many instructions are kept} */
  synchronized int size() {
    return size;
  }
}
