package io.probelet.monitor.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.OneLine;
import io.probelet.monitor.evidence.EvidencePart.Keep;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Receives the output of one part as bounded lines of text without secrets and control characters.
 * The collector writes on its own thread. When the time has expired, another thread takes what was
 * written; later output is dropped.
 */
public final class EvidenceOutput {
  /** Per line; longer lines are truncated. */
  static final int MAX_LINE_CHARS = 4096;

  /** The most reasons kept per part; further ones are dropped. */
  private static final int MAX_REASONS = 8;

  /** The most digest lines per part. */
  static final int MAX_HIGHLIGHTS = 3;

  private static final int MAX_HIGHLIGHT_CHARS = 160;

  private final Keep keep;
  private final int maxBytes;
  private final Redaction redaction = new Redaction();
  private final Deque<byte[]> lines = new ArrayDeque<>();
  private final List<String> missing = new ArrayList<>();
  private final Deque<String> highlights = new ArrayDeque<>();
  private int bytes;
  private long dropped;
  private boolean sealed;

  EvidenceOutput(Keep keep, int maxBytes) {
    this.keep = keep;
    this.maxBytes = maxBytes;
  }

  /**
   * Writes a line.
   *
   * @param text untrusted text; secrets and control characters are removed
   * @return whether there is room for more
   */
  public synchronized boolean line(String text) {
    return append(redaction.line(OneLine.beginning(text, MAX_LINE_CHARS)));
  }

  /**
   * Writes a document in one line, with secrets removed.
   *
   * @return whether there is room for more
   */
  public synchronized boolean json(JsonNode document) {
    return append(Redaction.json(document).toString());
  }

  private boolean append(String text) {
    if (sealed) {
      return false;
    }
    byte[] line = (text + '\n').getBytes(StandardCharsets.UTF_8);
    if (keep == Keep.FIRST && (dropped > 0 || bytes + line.length > maxBytes)) {
      dropped++;
      return false;
    }
    lines.addLast(line);
    bytes += line.length;
    while (bytes > maxBytes) {
      bytes -= lines.removeFirst().length;
      dropped++;
    }
    return true;
  }

  /**
   * Records that something could not be read, which makes the part incomplete.
   *
   * @param why names what is missing and the cause
   */
  public synchronized void missing(String why) {
    if (!sealed && missing.size() < MAX_REASONS) {
      missing.add(shown(why));
    } else if (!sealed && missing.size() == MAX_REASONS) {
      missing.add("and more");
    }
  }

  /**
   * Adds a line to the digest; if there are too many, those at the kept end remain.
   *
   * @param text one line
   */
  public synchronized void highlight(String text) {
    if (sealed || (keep == Keep.FIRST && highlights.size() == MAX_HIGHLIGHTS)) {
      return;
    }
    highlights.addLast(shown(text));
    if (highlights.size() > MAX_HIGHLIGHTS) {
      highlights.removeFirst();
    }
  }

  private static String shown(String text) {
    return OneLine.beginning(
        new Redaction().line(OneLine.beginning(text, MAX_LINE_CHARS)), MAX_HIGHLIGHT_CHARS);
  }

  /** Takes the output and accepts no more. */
  synchronized Taken seal() {
    sealed = true;
    byte[] all = new byte[bytes];
    int at = 0;
    for (byte[] line : lines) {
      System.arraycopy(line, 0, all, at, line.length);
      at += line.length;
    }
    lines.clear();
    return new Taken(all, dropped, List.copyOf(missing), List.copyOf(highlights));
  }

  /**
   * The output of a part.
   *
   * @param bytes of the lines that are kept
   * @param dropped dropped lines; a lower bound if the collector stopped early
   * @param missing what could not be read, and why
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
  record Taken(byte[] bytes, long dropped, List<String> missing, List<String> highlights) {}
}
