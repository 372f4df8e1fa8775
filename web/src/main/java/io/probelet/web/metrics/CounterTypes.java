package io.probelet.web.metrics;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Declares metrics as counters although their names lack the suffix of counters:
 * node-problem-detector names them so, and dashboards use these names. Only their {@code # TYPE}
 * lines change.
 */
final class CounterTypes extends FilterOutputStream {
  private static final String BEGIN = "# TYPE ";
  private static final String END = " untyped";

  private final Set<String> counters;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  CounterTypes(OutputStream out, Set<String> counters) {
    super(out);
    this.counters = counters;
  }

  @Override
  public void write(int character) throws IOException {
    write(new byte[] {(byte) character}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    int begin = from;
    for (int i = from; i < from + count; i++) {
      if (bytes[i] == '\n') {
        line.write(bytes, begin, i - begin);
        endLine();
        out.write('\n');
        begin = i + 1;
      }
    }
    line.write(bytes, begin, from + count - begin);
  }

  private void endLine() throws IOException {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    boolean typed = text.startsWith(BEGIN) && text.endsWith(END);
    String name = typed ? text.substring(BEGIN.length(), text.length() - END.length()) : "";
    String shown = counters.contains(name) ? BEGIN + name + " counter" : text;
    out.write(shown.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void flush() throws IOException {
    line.writeTo(out);
    line.reset();
    out.flush();
  }
}
