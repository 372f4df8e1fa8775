package io.probelet.probe.grpc;

import static io.probelet.probe.h2.Frames.STATUS_200;
import static io.probelet.probe.h2.Frames.data;
import static io.probelet.probe.h2.Frames.field;
import static io.probelet.probe.h2.Frames.goAway;
import static io.probelet.probe.h2.Frames.headers;
import static io.probelet.probe.h2.Frames.join;
import static io.probelet.probe.h2.Frames.reset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict;
import io.probelet.probe.h2.Frames;
import io.probelet.probe.net.Probing;
import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.ScriptedServer.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers byte by byte, and what grpc-go makes of each of them. */
class GrpcWireTest {
  @RegisterExtension static final Probing PROBING = new Probing();

  private static final String HEALTHY = "service healthy";
  private static final byte[] TYPE = field("content-type", "application/grpc");
  private static final byte[] HEAD = join(STATUS_200, TYPE);
  private static final byte[] SERVING = message("0801");
  private static final byte[] OK = field("grpc-status", "0");
  private static final Duration FIRST_DELAY = Duration.ofMillis(20);

  /** What a server does with a connection, the first being number 1. */
  @FunctionalInterface
  interface Script {
    void run(Connection connection, int number) throws Exception;
  }

  private static byte[] message(String hex) {
    return message(HexFormat.of().parseHex(hex));
  }

  private static byte[] message(byte[] bytes) {
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) 0)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  private static byte[] answer(int stream, byte[] head, byte[] data, byte[] trailers) {
    return join(
        headers(stream, false, head), data(stream, false, data), headers(stream, true, trailers));
  }

  private static byte[] good(int stream) {
    return answer(stream, HEAD, SERVING, OK);
  }

  private static Verdict probe(Duration timeout, Script script) throws IOException {
    AtomicInteger count = new AtomicInteger();
    try (ScriptedServer server =
        ScriptedServer.start(connection -> script.run(connection, count.incrementAndGet()))) {
      GrpcProber prober = new GrpcProber(PROBING.dialer(), () -> "", FIRST_DELAY);
      Grpc handler = new Grpc(server.port(), "", null);
      ProbeOutcome outcome =
          PROBING.outcome(done -> prober.probe(handler, Probing.target(), timeout, done));
      return outcome.verdict();
    }
  }

  /** Answers each call alike. */
  private static Script answering(byte[]... parts) {
    return (connection, _) -> {
      Frames.preface(connection);
      Frames.send(connection, Frames.SETTINGS);
      Frames.await(connection, 1);
      Frames.send(connection, parts);
      Frames.drain(connection);
    };
  }

  private static Arguments head(String what, String verdict, byte[]... head) {
    return arguments(what, verdict, answer(1, join(head), SERVING, OK));
  }

  private static Arguments body(String what, String verdict, byte[]... data) {
    return arguments(what, verdict, answer(1, HEAD, join(data), OK));
  }

  private static Arguments trailers(String what, String verdict, byte[]... trailers) {
    return arguments(what, verdict, answer(1, HEAD, SERVING, join(trailers)));
  }

  private static Arguments statuses(String what, String verdict, String... statuses) {
    return trailers(
        what,
        verdict,
        Stream.of(statuses).map(each -> field("grpc-status", each)).toArray(byte[][]::new));
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        head("in order", HEALTHY, HEAD),
        head(
            "connection-specific headers",
            HEALTHY,
            HEAD,
            field("connection", "close"),
            field("transfer-encoding", "chunked"),
            field("upgrade", "h2")),
        head("blanks around values", HEALTHY, HEAD, field("x-a", " b "), field("x-b", "\tc\t")),
        head("a control character", "Internal", HEAD, field("x-a", "a\u0001b")),
        head("a line end", "Internal", HEAD, field("x-a", "a\nb")),
        head("capitals", "Internal", HEAD, field("X-A", "b")),
        head("a name with a blank", "Internal", HEAD, field("x a", "b")),
        head("an empty name", "Internal", HEAD, field("", "b")),
        head("pseudo header behind others", "Internal", TYPE, STATUS_200),
        head("unknown pseudo header", "Internal", STATUS_200, field(":foo", "x"), TYPE),
        head("pseudo header of requests", "Internal", STATUS_200, field(":path", "/"), TYPE),
        head("two statuses", "Internal", STATUS_200, STATUS_200, TYPE),
        head("status in letters", HEALTHY, field(":status", "abc"), TYPE),
        head("status empty", HEALTHY, field(":status", ""), TYPE),
        head("status missing", HEALTHY, TYPE),
        head("status 404", HEALTHY, field(":status", "404"), TYPE),
        head("status -1", HEALTHY, field(":status", "-1"), TYPE),
        head(
            "no content type",
            "Unknown desc = unexpected HTTP status code received from server: 200 (OK)",
            STATUS_200),
        head("no content type, 503", "Unavailable", field(":status", "503")),
        head("no content type, status -1", "Unknown", field(":status", "-1")),
        head("no content type, status in letters", "Unknown", field(":status", "abc")),
        head("no content type, no status", "Internal", field("x", "y")),
        head(
            "capitals in the type",
            "Unknown",
            STATUS_200,
            field("content-type", "APPLICATION/grpc")),
        head(
            "blanks in the type",
            "Unknown",
            STATUS_200,
            field("content-type", " application/grpc ")),
        head("types: gRPC's first", HEALTHY, HEAD, field("content-type", "text/plain")),
        head("types: gRPC's last", HEALTHY, STATUS_200, field("content-type", "text/plain"), TYPE),
        head("a status in the head", HEALTHY, HEAD, field("grpc-status", "5")),
        head("an encoding not used", HEALTHY, HEAD, field("grpc-encoding", "foo")),
        arguments("100 first", HEALTHY, join(headers(1, false, field(":status", "100")), good(1))),
        arguments(
            "103 with gRPC's type",
            "Internal",
            join(headers(1, false, field(":status", "103"), TYPE), good(1))),
        arguments("trailers only", "no message", headers(1, true, HEAD, OK)),
        arguments(
            "trailers only, 404",
            "does not implement the grpc health protocol",
            headers(1, true, field(":status", "404"), TYPE, field("grpc-status", "12"))),
        arguments(
            "trailers that do not end it",
            "Internal",
            join(headers(1, false, HEAD), data(1, false, SERVING), headers(1, false, OK))),
        arguments("no trailers", "Internal", join(headers(1, false, HEAD), data(1, true, SERVING))),
        arguments("data first", "Internal", join(data(1, false, SERVING), headers(1, true, OK))),
        trailers("pseudo header in trailers", HEALTHY, field(":status", "404"), OK),
        trailers("type in trailers", HEALTHY, OK, field("content-type", "text/plain")),
        trailers("no status", "Unknown", field("x", "y")),
        trailers(
            "two messages",
            "InvalidArgument desc = b",
            field("grpc-status", "3"),
            field("grpc-message", "a"),
            field("grpc-message", "b")),
        statuses("0 twice", HEALTHY, "0", "0"),
        statuses("0, then 5", "NotFound", "0", "5"),
        statuses("5, then 0", HEALTHY, "5", "0"),
        statuses("no number, then 0", "Unknown", "x", "0"),
        statuses("0, then no number", "Unknown", "0", "x"),
        statuses("empty", "Unknown", ""),
        statuses("blank before", "Unknown", " 0"),
        statuses("00", HEALTHY, "00"),
        statuses("+0", HEALTHY, "+0"),
        statuses("17", "Code(17)", "17"),
        statuses("-1", "Code(4294967295)", "-1"),
        statuses("above 31 bits", "Unknown", "2147483648"),
        body("two messages", "Internal", SERVING, SERVING),
        body("two messages, one not serving", "Internal", SERVING, message("0802")),
        body("a second one, cut within its prefix", HEALTHY, SERVING, new byte[2]),
        body("a second one, cut within itself", "Internal", SERVING, new byte[] {0, 0, 0, 0, 9, 8}),
        body("none", "no message"),
        body("a prefix that is cut", "no message", new byte[2]),
        body("a message that is cut", "Internal", new byte[] {0, 0, 0, 0, 9, 8, 1}),
        body("empty", "responded with \"UNKNOWN\"", message("")),
        body("compressed", "Internal", new byte[] {1, 0, 0, 0, 2, 8, 1}),
        body("a prefix of no sense", "Internal", new byte[] {2, 0, 0, 0, 2, 8, 1}),
        body("half a varint", "malformed", message("08")),
        body("a varint too long", "malformed", message("08ffffffffffffffffff02")),
        body("status as text", "responded with \"UNKNOWN\"", message("0a0101")),
        body("two statuses", HEALTHY, message("08020801")),
        body("a group", HEALTHY, message("13080214" + "0801")),
        body("groups within groups", HEALTHY, message("130b08020c14" + "0801")),
        body("a group that does not end", "malformed", message("130801")),
        body("groups that cross", "malformed", message("130b140c0801")),
        body("groups too deep", "malformed", message("13".repeat(65) + "14".repeat(65) + "0801")),
        body("field 0", "malformed", message("00010801")),
        body("field above 2^29", "malformed", message("8080808020010801")),
        body("wire type 7", "malformed", message("0f0801")),
        body("a field longer than its message", "malformed", message("120508010801")),
        body("status above 32 bits", HEALTHY, message("088180808010")),
        body("status -1", "responded with \"-1\"", message("08" + "ff".repeat(9) + "01")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  @DisplayName("H-10 answers are judged as grpc-go judges them")
  void judged(String what, String verdict, byte[] answer) throws Exception {
    assertThat(probe(Probing.TIMEOUT, answering(answer)).text()).contains(verdict);
  }

  static Stream<Arguments> large() {
    byte[] many =
        join(Collections.nCopies(15_000, field("x-a", "v".repeat(1000))).toArray(byte[][]::new));
    byte[] one = field("x-a", "v".repeat(15 << 20));
    byte[] more = field("x-b", "v".repeat(2 << 20));
    return Stream.of(
        arguments("15 MiB of headers", HEALTHY, answer(1, join(HEAD, many), SERVING, OK)),
        arguments("a header of 15 MiB", HEALTHY, answer(1, join(HEAD, one), SERVING, OK)),
        arguments("15 MiB of trailers", HEALTHY, answer(1, HEAD, SERVING, join(many, OK))),
        arguments(
            "15 MiB of trailers behind the status",
            HEALTHY,
            answer(1, HEAD, SERVING, join(OK, many))),
        arguments(
            "17 MiB of headers",
            "header list larger than 16777216 bytes",
            answer(1, join(HEAD, many, more), SERVING, OK)),
        arguments(
            "a header of 17 MiB",
            "header list larger than 16777216 bytes",
            answer(1, join(HEAD, one, more), SERVING, OK)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("large")
  @DisplayName("H-10 heads and trailers have up to 16 MiB, as in grpc-go")
  void large(String what, String verdict, byte[] answer) throws Exception {
    assertThat(probe(Probing.TIMEOUT, answering(answer)).text()).contains(verdict);
  }

  @ParameterizedTest
  @ValueSource(ints = {4 << 20, (4 << 20) + 1})
  @DisplayName("H-10 a message has up to 4 MiB, of which nothing is kept but the status")
  void largeMessage(int size) throws Exception {
    byte[] bytes = new byte[size];
    int rest = size - 2 - 1 - 4; // the status, and a field nobody knows with a length of 4 bytes
    bytes[0] = 8;
    bytes[1] = 1;
    bytes[2] = 0x12;
    for (int i = 0; i < 4; i++) {
      bytes[3 + i] = (byte) (((rest >> (7 * i)) & 0x7f) | (i < 3 ? 0x80 : 0));
    }
    byte[] message = message(bytes);
    Verdict verdict =
        probe(
            Probing.TIMEOUT,
            (connection, _) -> {
              Frames.preface(connection);
              Frames.send(connection, Frames.SETTINGS);
              Frames.await(connection, 1);
              Frames.send(connection, headers(1, false, HEAD));
              // The client opens its windows again by half of 65,535 each time.
              int open = 65_535;
              for (int at = 0; at < message.length; ) {
                int to = Math.min(message.length, at + Math.min(16_384, open));
                Frames.send(connection, data(1, false, Arrays.copyOfRange(message, at, to)));
                open -= to - at;
                at = to;
                while (open < 16_384 && at < message.length) {
                  open += Frames.awaitWindow(connection);
                }
              }
              Frames.send(connection, headers(1, true, OK));
              Frames.drain(connection);
            });
    assertThat(verdict.text())
        .contains(
            size == 4 << 20
                ? HEALTHY
                : "ResourceExhausted desc = received message larger than max (4194305 vs. 4194304)");
  }

  private static void settle(Connection connection) throws IOException {
    Frames.preface(connection);
    Frames.send(connection, Frames.SETTINGS);
  }

  private static void goodOne(Connection connection) throws Exception {
    answering(good(1)).run(connection, 1);
  }

  /** Does something to the first connection and answers on all others. */
  private static Script first(ScriptedServer.Script script) {
    return (connection, number) -> {
      if (number == 1) {
        script.run(connection);
      } else {
        goodOne(connection);
      }
    };
  }

  private static void cutOff(Connection connection) throws IOException {
    connection.socket().setSoLinger(true, 0);
    connection.socket().close();
  }

  static Stream<Arguments> retried() {
    return Stream.of(
        arguments("reset", first(GrpcWireTest::cutOff)),
        arguments("closed", first(_ -> {})),
        arguments("closed after the preface", first(Frames::preface)),
        arguments(
            "GOAWAY before SETTINGS",
            first(connection -> {
              Frames.preface(connection);
              Frames.send(connection, goAway(0, 0));
              Frames.drain(connection);
            })),
        arguments(
            "another protocol",
            first(connection -> connection.send("HTTP/1.1 400 Bad Request\r\n\r\n"))),
        arguments(
            "GOAWAY behind SETTINGS",
            first(connection -> {
              Frames.preface(connection);
              Frames.send(connection, Frames.SETTINGS, goAway(0, 0));
              Frames.drain(connection);
            })),
        arguments(
            "GOAWAY in place of an answer",
            first(connection -> {
              settle(connection);
              Frames.await(connection, 1);
              Frames.send(connection, goAway(0, 11));
              Frames.drain(connection);
            })),
        arguments(
            "REFUSED_STREAM",
            (Script)
                (connection, _) -> {
                  settle(connection);
                  Frames.await(connection, 1);
                  Frames.send(connection, reset(1, 7));
                  Frames.await(connection, 1);
                  Frames.send(connection, good(3));
                  Frames.drain(connection);
                }),
        arguments(
            "GOAWAY that lets the call through",
            (Script)
                (connection, _) -> {
                  settle(connection);
                  Frames.await(connection, 1);
                  Frames.send(connection, goAway(1, 0), good(1));
                  Frames.drain(connection);
                }),
        arguments(
            "no streams at first",
            (Script)
                (connection, _) -> {
                  Frames.preface(connection);
                  Frames.send(connection, Frames.settings(3, 0), Frames.settings(3, 10));
                  Frames.await(connection, 1);
                  Frames.send(connection, good(1));
                  Frames.drain(connection);
                }),
        arguments(
            "a window of 0 that opens",
            (Script)
                (connection, _) -> {
                  Frames.preface(connection);
                  Frames.send(connection, Frames.settings(4, 0));
                  Frames.await(connection, 1);
                  Frames.send(connection, Frames.frame(8, 0, 1, Frames.number(100)));
                  Frames.await(connection, 0);
                  Frames.send(connection, good(1));
                  Frames.drain(connection);
                }),
        arguments(
            "a window of 0, answered anyway",
            (Script)
                (connection, _) -> {
                  Frames.preface(connection);
                  Frames.send(connection, Frames.settings(4, 0));
                  Frames.await(connection, 1);
                  Frames.send(connection, good(1));
                  Frames.drain(connection);
                }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("retried")
  @DisplayName("H-10 who is not connected yet, or has not looked at the call, is asked again")
  void retried(String what, Script script) throws Exception {
    assertThat(probe(Probing.TIMEOUT, script).text()).isEqualTo(HEALTHY);
  }

  static Stream<Arguments> notRetried() {
    return Stream.of(
        arguments(
            "reset after SETTINGS",
            "Unavailable",
            first(connection -> {
              settle(connection);
              Frames.await(connection, 1);
              cutOff(connection);
            })),
        arguments(
            "closed after SETTINGS",
            "Unavailable",
            first(connection -> {
              settle(connection);
              Frames.await(connection, 1);
            })),
        arguments(
            "closed after a GOAWAY that lets the call through",
            "Unavailable",
            first(connection -> {
              settle(connection);
              Frames.await(connection, 1);
              Frames.send(connection, goAway(1, 0));
            })),
        arguments(
            "REFUSED_STREAM twice",
            "Unavailable",
            (Script)
                (connection, _) -> {
                  settle(connection);
                  for (int stream = 1; stream <= 5; stream += 2) {
                    Frames.await(connection, 1);
                    Frames.send(connection, stream < 5 ? reset(stream, 7) : good(5));
                  }
                  Frames.drain(connection);
                }),
        arguments(
            "always GOAWAY",
            "Unavailable",
            (Script)
                (connection, _) -> {
                  Frames.preface(connection);
                  Frames.send(connection, Frames.SETTINGS, goAway(0, 0));
                  Frames.drain(connection);
                }),
        arguments(
            "GOAWAY, then nobody there",
            "Unavailable",
            (Script)
                (connection, number) -> {
                  if (number > 1) {
                    cutOff(connection);
                  } else {
                    settle(connection);
                    Frames.await(connection, 1);
                    Frames.send(connection, goAway(0, 0));
                    Frames.drain(connection);
                  }
                }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("notRetried")
  @DisplayName("H-10 once connected, a call that may have been looked at is not made again")
  void notRetried(String what, String status, Script script) throws Exception {
    assertThat(probe(Probing.TIMEOUT, script).text())
        .startsWith("error: health rpc probe failed: rpc error: code = " + status);
  }

  @Test
  @DisplayName(
      "H-10 who is not connected by the last attempt that fits has failed, with the reason")
  void endsEarly() throws Exception {
    assertThat(probe(Duration.ofMillis(3500), (connection, _) -> cutOff(connection)).text())
        .startsWith("timeout: failed to connect service \"127.0.0.1:")
        .contains("\" within 3.5s: ")
        .doesNotContain("deadline");
  }

  @Test
  @DisplayName("H-10 delays between connections grow, and none is begun that would end too late")
  void delays() {
    Retries retries = new Retries(Duration.ofSeconds(5), Duration.ofSeconds(1));
    assertThat(retries.next(Duration.ofMillis(1))).contains(Duration.ofMillis(1000));
    assertThat(retries.next(Duration.ofMillis(1001))).contains(Duration.ofMillis(1600));
    assertThat(retries.next(Duration.ofMillis(2602))).isEmpty();
    assertThat(new Retries(Duration.ofSeconds(1), Duration.ofSeconds(1)).next(Duration.ZERO))
        .as("the kubelet's default")
        .isEmpty();
  }

  @Test
  @DisplayName("H-10 a server that takes no streams is connected, and does not answer")
  void noStreams() throws Exception {
    Verdict verdict =
        probe(
            Duration.ofSeconds(3),
            (connection, _) -> {
              Frames.preface(connection);
              Frames.send(connection, Frames.settings(3, 0));
              Frames.drain(connection);
            });
    assertThat(verdict.text()).isEqualTo("timeout: health rpc did not complete within 3s");
  }
}
