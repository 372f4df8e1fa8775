package io.probelet.agent.metrics;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Adds the label {@code node} to each sample of Prometheus' text that is written through it. A
 * sample is a line with a name, then labels in braces or none, then a blank and its value.
 */
final class NodeLabel extends FilterOutputStream {
  private final byte[] only;
  private final byte[] first;
  private Place place = Place.LINE_START;

  private enum Place {
    LINE_START,
    NAME,
    REST
  }

  NodeLabel(OutputStream out, String node) {
    super(out);
    String label = "{node=\"" + node.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    only = (label + "} ").getBytes(StandardCharsets.UTF_8);
    first = (label + ",").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void write(int character) throws IOException {
    write(new byte[] {(byte) character}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    int begin = from;
    for (int i = from; i < from + count; i++) {
      if (place == Place.LINE_START) {
        place = bytes[i] == '#' ? Place.REST : Place.NAME;
      }
      if (place == Place.NAME && (bytes[i] == '{' || bytes[i] == ' ')) {
        out.write(bytes, begin, i - begin);
        out.write(bytes[i] == '{' ? first : only);
        begin = i + 1;
        place = Place.REST;
      }
      if (bytes[i] == '\n') {
        place = Place.LINE_START;
      }
    }
    out.write(bytes, begin, from + count - begin);
  }
}
