package io.probelet.probe.rule;

import com.google.re2j.Pattern;
import io.probelet.probe.BodyPattern;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The compiled programs that were used last, as many as there is room for. */
final class CompiledPatterns {
  /** Instructions that are kept; each takes about 200 bytes with what matching needs. */
  static final int ROOM = 16_384;

  private final Map<String, Kept> byText = new LinkedHashMap<>(16, 0.75f, true);
  private int size;

  /** A program and what it takes. */
  private record Kept(Pattern pattern, int size) {}

  /** Finds a program or compiles it. */
  synchronized Pattern get(BodyPattern wanted) {
    Kept known = byText.get(wanted.pattern());
    if (known != null) {
      return known.pattern();
    }
    Pattern compiled = wanted.compile();
    byText.put(wanted.pattern(), new Kept(compiled, wanted.programSize()));
    size += wanted.programSize();
    Iterator<Kept> eldest = byText.values().iterator();
    while (size > ROOM && eldest.hasNext()) {
      size -= eldest.next().size();
      eldest.remove();
    }
    return compiled;
  }

  /** {@return how many instructions are kept} */
  synchronized int size() {
    return size;
  }
}
