package io.probelet.probe.http;

import static io.probelet.probe.h2.Frames.STATUS_200;
import static io.probelet.probe.h2.Frames.data;
import static io.probelet.probe.h2.Frames.field;
import static io.probelet.probe.h2.Frames.goAway;
import static io.probelet.probe.h2.Frames.headers;
import static io.probelet.probe.h2.Frames.indexed;
import static io.probelet.probe.h2.Frames.join;
import static io.probelet.probe.h2.Frames.reset;
import static io.probelet.probe.http.HttpProbing.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.probelet.health.Certificates;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.h2.Frames;
import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.ScriptedServer.Connection;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 byte by byte under TLS, and what Go's net/http makes of it (H-7). */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class Http2WireTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private static final byte[] BODY = {'o', 'k'};
  private static @TempDir Path directory;
  private static SSLContext context;

  @BeforeAll
  static void make() {
    context = new Certificates(directory).server("ca");
  }

  /** What a server does with a connection, the first being number 1. */
  @FunctionalInterface
  private interface Script {
    void run(Connection connection, int number) throws Exception;
  }

  private static String probe(Script script) throws Exception {
    AtomicInteger count = new AtomicInteger();
    try (ScriptedServer server =
        ScriptedServer.startTls(
            context,
            connection -> {
              ((SSLSocket) connection.socket())
                  .setHandshakeApplicationProtocolSelector((_, _) -> "h2");
              script.run(connection, count.incrementAndGet());
            })) {
      return PROBING.verdict(get(server.port(), Scheme.HTTPS, HttpExpectation.KUBELET)).text();
    }
  }

  private static Script answering(byte[]... parts) {
    return (connection, _) -> {
      Frames.preface(connection);
      Frames.send(connection, Frames.SETTINGS);
      Frames.await(connection, 1);
      Frames.send(connection, parts);
      Frames.drain(connection);
    };
  }

  private static byte[] answer(byte[]... head) {
    return join(headers(1, false, head), data(1, true, BODY));
  }

  private static Arguments head(String what, String text, byte[]... head) {
    return arguments(what, text, answer(head));
  }

  private static Arguments status(String status, String text) {
    return head("status " + status, text, field(":status", status));
  }

  private static Arguments lengths(String text, String... lengths) {
    byte[] fields =
        join(Stream.of(lengths).map(each -> field("content-length", each)).toArray(byte[][]::new));
    return head("lengths " + String.join(" ", lengths), text, STATUS_200, fields);
  }

  static Stream<Arguments> answers() {
    String malformed = "malformed response from server: ";
    String broken = "broken HTTP/2";
    return Stream.of(
        head("in order", "ok", STATUS_200),
        head(
            "connection-specific headers",
            "ok",
            STATUS_200,
            field("connection", "close"),
            field("transfer-encoding", "chunked"),
            field("keep-alive", "1")),
        head("blanks around values", "ok", STATUS_200, field("x-a", " b\t")),
        head("bytes above 7f", "ok", STATUS_200, field("x-a", "a\u00e9")),
        head("a control character", broken, STATUS_200, field("x-a", "a\u0001")),
        head("capitals", broken, STATUS_200, field("X-A", "a")),
        head("an empty name", broken, STATUS_200, field("", "a")),
        head("pseudo header behind others", broken, field("x", "y"), STATUS_200),
        head("two statuses", broken, STATUS_200, STATUS_200),
        status("abc", malformed + "malformed non-numeric status pseudo header"),
        status("2x", malformed + "malformed non-numeric status pseudo header"),
        status(" 200", malformed + "malformed non-numeric status pseudo header"),
        status("", malformed + "missing status pseudo header"),
        head("no status", malformed + "missing status pseudo header", field("x", "y")),
        status("0200", "ok"),
        status("+200", "ok"),
        status("20", "HTTP probe failed with statuscode: 20"),
        status("2000", "HTTP probe failed with statuscode: 2000"),
        status("-1", "HTTP probe failed with statuscode: -1"),
        status("0", "HTTP probe failed with statuscode: 0"),
        lengths("ok", "2"),
        lengths(malformed + "unexpected EOF", "5"),
        lengths("server replied with more than declared Content-Length", "1"),
        lengths("ok", "x"),
        lengths("ok", "2", "3"),
        arguments(
            "a body announced and none",
            malformed + "unexpected EOF",
            headers(1, true, STATUS_200, field("content-length", "5"))),
        arguments(
            "interim responses",
            "ok",
            join(
                headers(1, false, field(":status", "103")),
                headers(1, false, field(":status", "101")),
                answer(STATUS_200))),
        arguments(
            "an interim response that ends",
            malformed + "1xx",
            headers(1, true, field(":status", "103"))),
        arguments(
            "trailers",
            "ok",
            join(
                headers(1, false, STATUS_200),
                data(1, false, BODY),
                headers(1, true, field("x", "y")))),
        arguments(
            "a status in trailers",
            malformed,
            join(
                headers(1, false, STATUS_200), data(1, false, BODY), headers(1, true, STATUS_200))),
        arguments(
            "capitals in trailers",
            broken,
            join(
                headers(1, false, STATUS_200),
                data(1, false, BODY),
                headers(1, true, field("X", "y")))),
        arguments("data first", broken, join(data(1, false, BODY), answer(STATUS_200))),
        arguments("reset with CANCEL", "CANCEL", reset(1, 8)),
        arguments("GOAWAY that lets it through", "ok", join(goAway(1, 11), answer(STATUS_200))),
        arguments("GOAWAY with an error", "ENHANCE_YOUR_CALM", goAway(0, 11)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  @DisplayName("H-7 answers are judged as net/http judges them")
  void judged(String what, String text, byte[] answer) throws Exception {
    assertThat(probe(answering(answer))).contains(text);
  }

  static Stream<Arguments> blocks() {
    byte[] many =
        join(Collections.nCopies(9_000, field("x-a", "v".repeat(1000))).toArray(byte[][]::new));
    byte[] one = field("x-a", "v".repeat(9 << 20));
    byte[] name = field("x".repeat(1 << 20), "v".repeat(1 << 20));
    byte[] more = field("x-b", "v".repeat(2 << 20));
    byte[] back = {(byte) 0xbe}; // what was indexed last
    return Stream.of(
        arguments("9 MiB of headers", "ok", 16_384, join(STATUS_200, many)),
        arguments("a header of 9 MiB", "ok", 16_384, join(STATUS_200, one)),
        arguments("a name and a value of 1 MiB", "ok", 16_384, join(STATUS_200, name)),
        arguments(
            "in frames of a byte",
            "ok",
            1,
            join(STATUS_200, field("x-a", "v".repeat(20_000)), indexed("a", "b"), back)),
        arguments(
            "in frames of 7 bytes",
            "ok",
            7,
            join(STATUS_200, field("x".repeat(20_000), "v"), indexed("a", "b"), back)),
        arguments("11 MiB of headers", "header list larger", 16_384, join(STATUS_200, many, more)),
        arguments(
            "a header too many of 2 MiB",
            "header list larger",
            16_384,
            join(STATUS_200, one, more)),
        arguments(
            "too much of what matters",
            "more than 16384 bytes of location",
            16_384,
            join(STATUS_200, field("location", "v".repeat(20_000)))),
        arguments(
            "what matters behind what does not",
            "unexpected EOF",
            16_384,
            join(STATUS_200, many, field("content-length", "5"))),
        arguments(
            "an entry that empties the table, and a use of it",
            "broken HTTP/2",
            16_384,
            join(STATUS_200, indexed("a", "b"), indexed("x", "v".repeat(17_000)), back)),
        arguments(
            "a table that was emptied, and used again",
            "ok",
            16_384,
            join(STATUS_200, indexed("x", "v".repeat(17_000)), indexed("a", "b"), back)),
        arguments(
            "a smaller table stays so",
            "ok",
            16_384,
            join(
                new byte[] {0x3f, 0x21},
                STATUS_200,
                indexed("x", "v".repeat(17_000)),
                indexed("a", "b"),
                back)),
        arguments(
            "a capital in a long one",
            "broken HTTP/2",
            16_384,
            join(STATUS_200, field("X", "v".repeat(20_000)))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("blocks")
  @DisplayName("H-7 header blocks have up to 10 MiB, of which 16 KiB are kept")
  void blocks(String what, String text, int frameSize, byte[] block) throws Exception {
    byte[] answer = join(headers(1, false, frameSize, block), data(1, true, BODY));
    assertThat(probe(answering(answer))).contains(text);
  }

  static Stream<Arguments> brokenBlocks() {
    byte[] begun = Frames.frame(1, 0, 1, STATUS_200);
    return Stream.of(
        arguments("a frame between", join(begun, Frames.frame(6, 0, 0, new byte[8]))),
        arguments("another stream's", join(begun, Frames.frame(9, 4, 3))),
        arguments("half a field", join(begun, Frames.frame(9, 4, 1, new byte[] {0, 5, 'a'}))),
        arguments(
            "an endless integer",
            join(begun, Frames.frame(9, 0, 1, new byte[] {0x7f, -1, -1, -1, -1, -1, -1}))),
        arguments("padding longer than the frame", Frames.frame(1, 8, 1, new byte[] {9, 0})),
        arguments("no stream", Frames.frame(1, 0, 0, STATUS_200)),
        arguments("a frame too long", new byte[] {0, 0x40, 1, 1, 4, 0, 0, 0, 1}));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenBlocks")
  @DisplayName("H-7 a header block that breaks off or is broken into is a failure")
  void brokenBlock(String what, byte[] frames) throws Exception {
    assertThat(probe(answering(frames))).contains("broken HTTP/2");
  }

  @Test
  @DisplayName("H-4 a Location over HTTP/2 is bytes, and its blanks do not count")
  void location() throws Exception {
    AtomicInteger answered = new AtomicInteger();
    assertThat(
            probe((connection, number) ->
                answering(
                        number == 1
                            ? headers(
                                1, true, field(":status", "302"), field("location", " /\u00e9 "))
                            : answer(STATUS_200))
                    .run(connection, answered.incrementAndGet())))
        .isEqualTo("ok");
  }

  static Stream<Arguments> notLookedAt() {
    return Stream.of(
        arguments("REFUSED_STREAM", join(Frames.SETTINGS, reset(1, 7))),
        arguments("GOAWAY", join(Frames.SETTINGS, goAway(0, 0))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("notLookedAt")
  @DisplayName("H-7 a request the server has not looked at is sent again, up to ten times")
  void repeated(String what, byte[] refusal) throws Exception {
    AtomicInteger connections = new AtomicInteger();
    Script always =
        (connection, number) -> {
          connections.set(number);
          Frames.preface(connection);
          Frames.await(connection, 1);
          Frames.send(connection, refusal);
          Frames.drain(connection);
        };
    assertThat(
            probe((connection, number) ->
                (number < 3 ? always : answering(answer(STATUS_200))).run(connection, number)))
        .isEqualTo("ok");
    assertThat(probe(always)).contains(what.equals("GOAWAY") ? "sent GOAWAY" : "REFUSED_STREAM");
    assertThat(connections).hasValue(11);
  }
}
