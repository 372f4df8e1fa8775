package io.probelet.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.Verdict;
import io.probelet.probe.http.HeaderLines.LineBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is tolerated and what is not, case by case as Go's net/http has it. */
class ResponseParserTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

  /** What a parser made of its input. */
  private record Parsed(int status, String location, String body, boolean complete, String fault) {}

  static Stream<String> accepted() {
    return Stream.of(
        "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/1.1   200 OK\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/9.9 200 OK\nContent-Length: 1\n\nx",
        OK + "content-LENGTH:1\r\n\r\nx",
        OK + "Content-Length: 1\r\nContent-Length:  1 \r\n\r\nx",
        OK + "Content-Length:\r\n 1\r\n\r\nx",
        OK + "X-Bin: \u00ff\t \r\nContent-Length: 1\r\n\r\nx",
        OK + "Content-Length : 99\r\nContent-Length: 1\r\n\r\nx",
        OK + "Content-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        CHUNKED + "000001\r\nx\r\n0\r\n\r\n",
        CHUNKED + "0000000000000001\r\nx\r\n0000000000000000\r\n\r\n",
        CHUNKED + "1;ext=\"a\"\r\nx\r\n0;last\r\nTrailer: y\r\nT : z\r\n folded\r\n\r\n",
        CHUNKED + "1\r\nx\r\n0\r\nT: \u00ff\n\r\n\r\n",
        CHUNKED + "1\r\nx\r\n0\r\nT: " + "y".repeat(4089) + "\r\n\r\n",
        OK + "Content-Length: " + "0".repeat(5000) + "1\r\n\r\nx",
        "HTTP/1.1 100 Continue\r\nX: y\r\n\r\n" + OK + "Content-Length: 1\r\n\r\nxrest");
  }

  @ParameterizedTest
  @MethodSource("accepted")
  @DisplayName("H-5, H-6 tolerated responses have status 200 and body \"x\"")
  void accepts(String response) {
    assertThat(parse(response)).isEqualTo(new Parsed(200, null, "x", true, null));
  }

  static Stream<String> malformed() {
    return Stream.of(
        "\r\n",
        "HTTP/1.1\r\n",
        "HTTP/1.1 20 OK\r\n",
        "HTTP/1.1 2000 OK\r\n",
        "HTTP/1.1 \t200 OK\r\n",
        "http/1.1 200 OK\r\n",
        "HTTP/1 200 OK\r\n",
        "HTTP/1.10 200 OK\r\n",
        OK + " X: y\r\n\r\n",
        OK + "X\r\n\r\n",
        OK + ": y\r\n\r\n",
        OK + "X(: y\r\n\r\n",
        OK + "X: \u0000\r\n\r\n",
        OK + "X: a\rb\r\n\r\n",
        OK + "Content-Length:\r\n\r\n",
        OK + "Content-Length: +1\r\n\r\n",
        OK + "Content-Length: -1\r\n\r\n",
        OK + "Content-Length: 9223372036854775808\r\n\r\n",
        OK + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 204 None\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nContent-Length: x\r\n\r\n" + OK + "\r\n",
        "HTTP/1.1 100 Continue\r\nTransfer-Encoding: gzip\r\n\r\n" + OK + "\r\n",
        OK + "Transfer-Encoding: gzip\r\n\r\n",
        OK + "Transfer-Encoding: gzip, chunked\r\n\r\n",
        OK + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        CHUNKED + "1\nx\r\n0\r\n\r\n",
        CHUNKED + "1\r\r\nx\r\n0\r\n\r\n",
        CHUNKED + "\r\n",
        CHUNKED + "x\r\n",
        CHUNKED + "-1\r\n",
        CHUNKED + "1 1\r\n",
        CHUNKED + "00000000000000001\r\n",
        CHUNKED + "1\r\nx\r\n00000000000000000\r\n",
        CHUNKED + "1\r\nxx\r\n",
        CHUNKED + "1\r\nx\n0\r\n\r\n",
        CHUNKED + "1" + " ".repeat(5000) + "\r\n",
        CHUNKED + ("1;" + "e".repeat(4000) + "\r\nx\r\n").repeat(5),
        CHUNKED + "0\r\n" + "T: x\r\n".repeat(700),
        CHUNKED + "0\r\nno colon\r\n\r\n",
        CHUNKED + "0\r\n: y\r\n\r\n",
        CHUNKED + "0\r\n T: y\r\n\r\n",
        CHUNKED + "0\r\nT(: y\r\n\r\n",
        CHUNKED + "0\r\nT: \u0001\r\n\r\n",
        CHUNKED + "0\r\n\r\r\n\r\n",
        OK + "Location: /" + "y".repeat(LineBuffer.MAX_KEPT) + "\r\n\r\n",
        OK + "X: " + "y".repeat(LineBuffer.MAX_KEPT) + "\u0000\r\n\r\n",
        OK + "X: " + "y".repeat(LineBuffer.MAX_KEPT) + "\ry\r\n\r\n",
        OK + "X".repeat(LineBuffer.MAX_KEPT + 1) + "\r\n\r\n",
        OK + "X".repeat(LineBuffer.MAX_KEPT + 1) + "(: y\r\n\r\n",
        OK + "X".repeat(LineBuffer.MAX_KEPT + 1) + ": \u0000\r\n\r\n");
  }

  /** Lines of which only the beginning is kept; they end in all ways a line can. */
  static Stream<String> longLines() {
    int kept = LineBuffer.MAX_KEPT;
    return Stream.of(
        "X: " + "y".repeat(kept - 3),
        "X: " + "y".repeat(kept - 4),
        "X: " + "y".repeat(kept) + " \t",
        "X: " + "y".repeat(kept) + "\r\n \tand on",
        "X: " + "y".repeat(kept - 3) + "\r\n and on",
        "X: " + ":".repeat(2 * kept),
        "X".repeat(kept) + ": y",
        "X".repeat(2 * kept) + ":y: z\u00ff",
        "X".repeat(kept) + " : y");
  }

  @ParameterizedTest
  @MethodSource("longLines")
  @DisplayName("H-6 a header line may be longer than what is kept of it")
  void longLine(String line) {
    String response = OK + line + "\r\nContent-Length: 1\r\n\r\nx";
    assertThat(parse(response)).isEqualTo(new Parsed(200, null, "x", true, null));
    assertThat(parseIn(response, () -> 1)).isEqualTo(parse(response));
    assertThat(parse(OK + line.replace("X", "Location") + "\r\n\r\n").fault())
        .isEqualTo(
            line.startsWith("X: ") && line.length() > LineBuffer.MAX_KEPT - 7
                ? "a Location or a length of more than 16384 bytes"
                : null);
  }

  /** What repeats in a head, as often as fits into 10 MiB. */
  static Stream<String> largeHeads() {
    return Stream.of("X: y\r\n", "X: " + "y".repeat(1 << 20) + "\r\n", "X".repeat(1 << 20) + ":\n");
  }

  @ParameterizedTest
  @MethodSource("largeHeads")
  @DisplayName("H-6 a head has up to 10 MiB, interim ones counted in, as in Go")
  void largeHead(String part) {
    String end = "Content-Length: 1\r\n\r\nx";
    int fitting = (ResponseParser.MAX_HEAD - OK.length() - end.length()) / part.length();
    assertThat(parse(OK + part.repeat(fitting) + end))
        .isEqualTo(new Parsed(200, null, "x", true, null));
    String interim = "HTTP/1.1 103 Early Hints\r\n" + part.repeat(fitting / 2) + "\r\n";
    assertThat(parse(interim + OK + part.repeat(fitting - fitting / 2 + 1) + end).fault())
        .isEqualTo("server response headers exceeded 10485760 bytes; aborted");
  }

  @Test
  @DisplayName("H-6 at most 16 KiB of a line are kept")
  void keptOfALine() {
    LineBuffer line = new LineBuffer();
    for (int i = 0; i < ResponseParser.MAX_HEAD; i++) {
      line.add((byte) 'x');
    }
    assertThat(line.bytes()).hasSize(LineBuffer.MAX_KEPT);
  }

  @Test
  @DisplayName("H-5 the largest possible chunk is read up to 10 KiB")
  void largestChunk() {
    ResponseParser parser = new ResponseParser();
    feed(parser, CHUNKED + "ffffffffffffffff\r\n" + "x".repeat(Verdict.OUTPUT_LIMIT));
    assertThat(parser.complete()).isTrue();
  }

  @Test
  @DisplayName("H-4 a Location is bytes, each of them one char")
  void locationBytes() {
    assertThat(parse(HttpProbing.response(302, "", "Location: /\u00e9")).location())
        .isEqualTo("/\u00e9");
  }

  @ParameterizedTest
  @MethodSource("malformed")
  @DisplayName("H-6 malformed responses say what is wrong, in one printable line")
  void refuses(String response) {
    Parsed parsed = parse(response);
    assertThat(parsed.complete()).isFalse();
    assertThat(parsed.fault())
        .doesNotStartWith("unexpected EOF")
        .matches("[ -~…]+")
        .hasSizeLessThan(160);
  }

  @ParameterizedTest
  @ValueSource(ints = {101, 204, 304})
  @DisplayName("statuses that have no body are complete with their head")
  void noBody(int status) {
    ResponseParser parser = new ResponseParser();
    feed(parser, HttpProbing.response(status, "never read"));
    assertThat(parser.complete()).isTrue();
  }

  @Test
  @DisplayName("the first Location counts, trimmed")
  void location() {
    String response = HttpProbing.response(302, "", "location:  /a b ", "Location: /c");
    assertThat(parse(response).location()).isEqualTo("/a b");
  }

  @Test
  @DisplayName("a folded header is one line, its blanks and line end one space")
  void folded() {
    String response = HttpProbing.response(302, "", "Location: /a", " \t b", "\tc ");
    assertThat(parse(response).location()).isEqualTo("/a b c");
  }

  @Test
  @DisplayName("a header's value is never reported, not even of a malformed line")
  void noSecrets() {
    assertThat(parse(OK + "Set-Cookie: secret\u0001\r\n\r\n").fault())
        .isEqualTo("malformed MIME header line: \"Set-Cookie\"");
  }

  @Test
  @DisplayName("H-5 a chunked body is complete with its trailer's end, or at 10 KiB")
  void chunkedEnd() {
    ResponseParser parser = new ResponseParser();
    feed(parser, CHUNKED + "1\r\nx\r\n0\r\n");
    assertThat(parser.complete()).isFalse();
    feed(parser, "\r\n");
    assertThat(parser.complete()).isTrue();

    ResponseParser full = new ResponseParser();
    feed(full, CHUNKED + "ffffff\r\n" + "x".repeat(Verdict.OUTPUT_LIMIT));
    assertThat(full.complete()).isTrue();
  }

  @Test
  @DisplayName("any split of the bytes gives the same result")
  void splits() {
    List<String> responses = new ArrayList<>(accepted().toList());
    responses.addAll(malformed().filter(response -> response.length() < 10_000).toList());
    responses.add(CHUNKED + "2800\r\n" + "y".repeat(0x2800) + "\r\n0\r\n\r\n");
    responses.add(OK + "\r\n" + "z".repeat(11_000));
    Random random = new Random(20);
    for (String response : responses) {
      Parsed whole = parse(response);
      assertThat(parseIn(response, () -> 1)).as("byte by byte: %s", response).isEqualTo(whole);
      for (int i = 0; i < 20; i++) {
        int longest = 1 + random.nextInt(40);
        assertThat(parseIn(response, () -> 1 + random.nextInt(longest)))
            .as("split: %s", response)
            .isEqualTo(whole);
      }
    }
  }

  @Test
  @DisplayName("bytes at random, and responses with bytes changed at random, never throw")
  void garbage() {
    Random random = new Random(6);
    List<String> responses = Stream.concat(accepted(), malformed()).toList();
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes;
      if (i % 4 == 0) {
        bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
      } else {
        String response = responses.get(random.nextInt(responses.size()));
        bytes =
            response
                .substring(0, Math.min(response.length(), 300))
                .getBytes(StandardCharsets.ISO_8859_1);
        for (int change = random.nextInt(4); change >= 0 && bytes.length > 0; change--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
      }
      ResponseParser parser = new ResponseParser();
      parser.feed(bytes, 0, bytes.length);
      parser.end();
      assertThat(parser.complete()).isNotEqualTo(parser.fault() != null);
    }
  }

  private static Parsed parse(String response) {
    return parseIn(response, response::length);
  }

  private static Parsed parseIn(String response, java.util.function.IntSupplier pieces) {
    byte[] bytes = response.getBytes(StandardCharsets.ISO_8859_1);
    ResponseParser parser = new ResponseParser();
    for (int at = 0; at < bytes.length; ) {
      int to = Math.min(bytes.length, at + pieces.getAsInt());
      parser.feed(bytes, at, to);
      at = to;
    }
    parser.end();
    HttpResponse answer = parser.answer();
    return answer == null
        ? new Parsed(0, null, null, parser.complete(), parser.fault())
        : new Parsed(
            answer.status(),
            answer.location(),
            answer.body().text(),
            parser.complete(),
            parser.fault());
  }

  private static void feed(ResponseParser parser, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    parser.feed(bytes, 0, bytes.length);
  }
}
