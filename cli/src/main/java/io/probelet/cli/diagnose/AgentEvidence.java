package io.probelet.cli.diagnose;

import io.probelet.agent.diagnose.EvidenceRoute;
import io.probelet.health.FailureReason;
import io.probelet.health.OneLine;
import io.probelet.monitor.evidence.EvidenceBundle;
import io.probelet.monitor.evidence.EvidenceDigest;
import io.probelet.monitor.evidence.NodeEvidence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the agent on this machine to collect evidence. Uses little of the JDK and no library, so
 * that this process stays small beside the agent's in the memory of one container.
 *
 * @param socket where the agent listens, or nothing does
 */
record AgentEvidence(Path socket) {
  /**
   * An agent that responds mostly does so at once. Where memory is short, to collect here as well
   * would take longer than to wait.
   */
  private static final Duration ALIVE = Duration.ofSeconds(10);

  /** The agent collects for at most 30 s. */
  private static final Duration ANSWER = Duration.ofSeconds(40);

  private static final int MAX_HEAD_BYTES = 64 << 10;

  /** As long as a path: what is shown is cleaned, because others may have made the socket. */
  private static final int MAX_LINE_CHARS = 4096;

  private static final int OK = 200;
  private static final int FIELDS = 4;
  private static final String NOT_KEPT = "-";

  /** The agent responds and refuses, and collecting here would be wrong. */
  static final class BusyException extends IOException {
    private static final long serialVersionUID = 1L;

    private BusyException(String message) {
      super(message);
    }
  }

  /**
   * What the agent collected.
   *
   * @param bundle its path is null if the agent does not keep it
   * @param archive empty if the agent keeps it
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Collected(EvidenceBundle bundle, byte[] archive) {}

  /** {@return whether an agent has a socket here} */
  boolean exists() {
    return Files.exists(socket);
  }

  /**
   * Has the agent collect a bundle.
   *
   * @param hostRoot where the node's root directory must be mounted; null for where the agent has
   *     it
   * @param keep whether the agent keeps the archive, instead of sending it
   * @throws BusyException if another collection is running; the message is for the user
   * @throws IOException if there is no complete answer; the message is for the user
   */
  Collected collect(String reason, @Nullable Path hostRoot, boolean keep)
      throws IOException, InterruptedException {
    ask("GET " + EvidenceRoute.ALIVE, "", ALIVE);
    String form =
        "reason="
            + encoded(reason)
            + (hostRoot == null ? "" : "&hostRoot=" + encoded(hostRoot.toString()))
            + (keep ? "&keep=true" : "");
    return collected(ask("POST " + EvidenceRoute.PATH, form, ANSWER), keep);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Asks on a thread that can be interrupted: an agent that is stopped answers nothing. */
  private byte[] ask(String what, String body, Duration within)
      throws IOException, InterruptedException {
    FutureTask<byte[]> asking = new FutureTask<>(() -> answer(what, body));
    Thread thread = new Thread(asking, "agent");
    thread.setDaemon(true);
    thread.start();
    try {
      return asking.get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new IOException("no answer within " + within.toSeconds() + " s", late);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof BusyException busy) {
        throw busy;
      }
      throw new IOException(FailureReason.of(failed), failed);
    } finally {
      asking.cancel(true); // closes its socket
    }
  }

  /** By HTTP/1.0 an answer ends with its connection. */
  private byte[] answer(String what, String body) throws IOException {
    byte[] form = body.getBytes(StandardCharsets.UTF_8);
    String request =
        what + " HTTP/1.0\r\nHost: localhost\r\nContent-Length: " + form.length + "\r\n\r\n" + body;
    try (SocketChannel agent = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      agent.connect(UnixDomainSocketAddress.of(socket));
      ByteBuffer sent = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
      while (sent.hasRemaining()) {
        agent.write(sent);
      }
      InputStream in = Channels.newInputStream(agent);
      String head = head(in);
      byte[] rest = in.readNBytes(MAX_HEAD_BYTES + NodeEvidence.MAX_BYTES);
      int status = status(head);
      if (status == EvidenceRoute.BUSY) {
        throw new BusyException(text(rest));
      }
      if (status != OK) {
        throw new IOException("status " + status + ": " + text(rest));
      }
      return rest;
    }
  }

  private static String text(byte[] answer) {
    int most = Math.min(answer.length, MAX_LINE_CHARS);
    return OneLine.of(new String(answer, 0, most, StandardCharsets.UTF_8), MAX_LINE_CHARS);
  }

  private static int status(String head) throws IOException {
    String[] words = head.split(" ", 3);
    try {
      return Integer.parseInt(words.length < 2 ? "" : words[1]);
    } catch (NumberFormatException malformed) {
      throw new IOException("unexpected response", malformed);
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int line = 0;
    for (int next = in.read(); next >= 0 && head.size() < MAX_HEAD_BYTES; next = in.read()) {
      head.write(next);
      if (next == '\n') {
        if (line == 0) {
          return head.toString(StandardCharsets.UTF_8);
        }
        line = 0;
      } else if (next != '\r') {
        line++;
      }
    }
    throw new IOException("unexpected response");
  }

  /** Reads what {@link EvidenceRoute} writes; a part of it is none. */
  private static Collected collected(byte[] answer, boolean kept) throws IOException {
    int most = Math.min(answer.length, MAX_HEAD_BYTES);
    int end = 0;
    while (end + 1 < most && (answer[end] != '\n' || answer[end + 1] != '\n')) {
      end++;
    }
    List<String> lines =
        new String(answer, 0, end, StandardCharsets.UTF_8)
            .lines()
            .map(line -> OneLine.of(line, MAX_LINE_CHARS))
            .toList();
    byte[] archive = Arrays.copyOfRange(answer, Math.min(end + 2, answer.length), answer.length);
    if (lines.size() <= FIELDS
        || lines.size() > FIELDS + EvidenceDigest.MAX_LINES
        || (!kept && !EvidenceBundle.sha256(archive).equals(lines.get(1)))) {
      throw new IOException("incomplete response");
    }
    try {
      return new Collected(
          new EvidenceBundle(
              lines.get(0),
              lines.get(3).equals(NOT_KEPT) ? null : Path.of(lines.get(3)),
              lines.get(1),
              Long.parseLong(lines.get(2)),
              lines.subList(FIELDS, lines.size())),
          archive);
    } catch (IllegalArgumentException malformed) {
      throw new IOException("unexpected response", malformed);
    }
  }
}
