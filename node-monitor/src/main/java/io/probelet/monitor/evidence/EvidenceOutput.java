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
 * Takes what one part of the evidence comes to, bounded, as lines of text without secrets and
 * control characters. The collector writes on its thread; whoever gathers the parts takes from
 * another what is there when the time is up, and what is written later is dropped.
 */
public final class EvidenceOutput {
  /** Of a line; the rest of a longer one is cut off. */
  static final int MAX_LINE_CHARS = 4096;

  /** Reasons why something is missing in a part; more are counted only. */
  private static final int MAX_REASONS = 8;

  /** What a part may have in the digest. */
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
   * @param text what a stranger may have written; secrets and control characters are taken out
   * @return whether more is taken
   */
  public synchronized boolean line(String text) {
    return append(redaction.line(OneLine.beginning(text, MAX_LINE_CHARS)));
  }

  /**
   * Writes a document in one line, with the secrets taken out of its texts.
   *
   * @return whether more is taken
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
   * Writes down that something could not be read, which makes the part incomplete.
   *
   * @param why names what is missing and what was in the way
   */
  public synchronized void missing(String why) {
    if (!sealed && missing.size() < MAX_REASONS) {
      missing.add(shown(why));
    } else if (!sealed && missing.size() == MAX_REASONS) {
      missing.add("and more");
    }
  }

  /**
   * Writes something that belongs into the digest; of too many those at the kept end.
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

  /** Takes what there is; nothing more is taken in. */
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
   * What was written.
   *
   * @param bytes of the lines that are kept
   * @param dropped lines there was no room for; at least so many where the collector gave up
   * @param missing what could not be read, and why
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
  record Taken(byte[] bytes, long dropped, List<String> missing, List<String> highlights) {}
}
